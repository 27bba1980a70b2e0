import { closeSync, fdatasyncSync, openSync, writeSync } from 'node:fs';
import { createServer } from 'node:http';

// The bare server that the harness asks all the time: it writes four bytes to the disk of the service and responds. When
// it is late, the machine is, not the service.
process.once('disconnect', () => process.exit());
const [, , path = ''] = process.argv;
const file = openSync(path, 'w');
process.once('exit', () => closeSync(file));
const server = createServer((_, response) => {
  writeSync(file, 'here', 0);
  fdatasyncSync(file);
  response.end('here');
});
server.listen(0, '127.0.0.1', () => process.send?.(server.address()));
