/** One row a key; and a timer that is fired again while it fires is free to be taken. */
const rules = `
CREATE UNIQUE INDEX IF NOT EXISTS holdfast_alarms_key ON holdfast_alarms (name, (data->>'key'));
CREATE OR REPLACE FUNCTION holdfast_free_alarm() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.data->>'arming' IS DISTINCT FROM OLD.data->>'arming' THEN NEW.locked_at := NULL; END IF;
  RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER holdfast_free_alarm BEFORE UPDATE ON holdfast_alarms
  FOR EACH ROW EXECUTE FUNCTION holdfast_free_alarm();`;

const taken = '23505';
const attempts = 3;

/** Gives the backend what the timer service asks of its rows. */
export function keepRows(backend, pool) {
  const { repository } = backend;
  const connect = backend.connect.bind(backend);
  backend.connect = async () => {
    await connect();
    await pool.query(rules);
  };
  const save = repository.saveJob.bind(repository);
  // It looks and then inserts or updates. Whoever inserts second updates; where nothing is left to be updated, it reads
  // a row that is not there: the timer fired meanwhile.
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
