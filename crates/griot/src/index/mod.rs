//! What the rows become for speed: words, vectors, times, places and arcs of one workspace.
