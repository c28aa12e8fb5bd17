-- What a job is asked to do beside its store, as JSON: a job that was cut off runs again as it was asked for.
ALTER TABLE jobs ADD COLUMN request TEXT;
