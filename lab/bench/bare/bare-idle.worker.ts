import { createServer } from 'node:http';
import { serveBare } from './bare-server.ts';

// The minimum work of a service that waits: one select each second.
serveBare((pool) => {
  setInterval(() => pool.query({ name: 'select', text: 'SELECT 1' }), 1_000);
  return createServer();
});
