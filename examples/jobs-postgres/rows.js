/** One row per key; a timer that is set again while it fires can be taken again. */
const rules = `
CREATE UNIQUE INDEX IF NOT EXISTS holdfast_timers_key ON holdfast_timers (name, (data->>'key'));
CREATE OR REPLACE FUNCTION holdfast_free_timer() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.data->>'arming' IS DISTINCT FROM OLD.data->>'arming' THEN NEW.locked_at := NULL; END IF;
  RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER holdfast_free_timer BEFORE UPDATE ON holdfast_timers
  FOR EACH ROW EXECUTE FUNCTION holdfast_free_timer();`;

const taken = '23505';
const attempts = 3;

/** Adds to the backend what the timer service requires of its rows. */
export function keepRows(backend, pool) {
  const { repository } = backend;
  const connect = backend.connect.bind(backend);
  backend.connect = async () => {
    await connect();
    await pool.query(rules);
  };
  const save = repository.saveJob.bind(repository);
  // The backend reads, then inserts or updates. Of two concurrent inserts, the second becomes an update. If there is
  // nothing left to update, it reads a missing row: the timer has fired in between.
  const isOvertaken = (error) => error.code === taken || error instanceof TypeError;
  repository.saveJob = async (job, options) => {
    for (let attempt = 1; ; attempt++) {
      try {
        return await save(job, options);
      } catch (error) {
        if (attempt === attempts || !isOvertaken(error)) throw error;
      }
    }
  };
}
