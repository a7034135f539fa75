// Extracts an archive as the driver does, as this user or as `nobody`, and tells how it went.
import plugin from '../dist/index.js';

const [, , asked] = process.argv;
const { dataFolder, binary, target, folder, asNobody } = JSON.parse(asked);
if (asNobody) {
  process.setgroups([]);
  process.setgid(65534);
  process.setuid(65534);
}
const driver = plugin.create({ configuration: { binary }, dataFolder });
const options = { onProcess: (tool) => void process.send({ tool }) };
const end = await driver.extract(target, { archive: 'a', paths: [], folder }, options).then(
  ({ warnings }) => ({ warnings }),
  ({ kind, message }) => ({ kind, message }),
);
const { findings } = await driver.examine();
process.send({ end, findings }, () => process.disconnect());
