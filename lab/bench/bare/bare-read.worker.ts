import { createServer } from 'node:http';
import { sendJson, serveBare } from './bare-server.ts';

const PATH = '/api/beos/domain/';
const SELECT = 'SELECT * FROM beos WHERE domain = $1';

// The minimum work for a read: node:http, one indexed select, JSON.stringify of the row.
serveBare((pool) =>
  createServer(async (request, response) => {
    const domain = (request.url ?? '').slice(PATH.length);
    const { rows } = await pool.query({ name: 'select', text: SELECT, values: [domain] });
    sendJson(response, rows.length === 1 ? 200 : 404, { beo: rows[0] ?? null });
  }),
);
