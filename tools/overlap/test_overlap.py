"""Tests of overlap.py: python tools/overlap/test_overlap.py."""

import unittest

from overlap import compared, text_of, words


class Overlap(unittest.TestCase):
    def test_words_are_letters_and_digits_without_case(self):
        self.assertEqual(words("The ﬁle, the file_2"), {"2": 1, "file": 2, "the": 2})
        self.assertEqual(words("数据a数"), {"a": 1, "据": 1, "数": 2})

    def test_shares_are_of_theirs_and_of_ours(self):
        recall, precision, more = compared(words("one two two three"), words("two two two one five"))
        self.assertEqual((recall, precision), (0.75, 0.6))
        self.assertEqual(more, {"missed": [("three", 1)], "added": [("five", 1), ("two", 1)]})

    def test_what_passages_repeat_counts_once(self):
        body = [f"word{n} is here." for n in range(60)]
        texts = [" ".join(body[at : at + 25]) for at in range(0, 60, 20)]
        passages = [{"heading": ["Many"], "text": text} for text in texts]
        end = "See [the end](https://example.org/end)."
        passages.append({"heading": ["Many", "More"], "text": end})
        reading = {"path": "many.md", "title": "many", "passages": passages}
        expected = words("Many " + " ".join(body) + " More See the end")
        self.assertEqual(words(text_of(reading, "markdown")), expected)


if __name__ == "__main__":
    unittest.main()
