-- Where the key of a model is stays in the settings.
UPDATE embedder SET settings = json_remove(settings, '$.key_env', '$.key_file');
