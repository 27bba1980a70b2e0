import { createServer } from 'node:http';
import { serveBare } from './serve-bare.ts';

const PATH = '/api/beos/domain/';
const SELECT = 'SELECT * FROM beos WHERE domain = $1';

// The least that a read can be: node:http, one indexed select, JSON.stringify of the row.
serveBare((pool) =>
  createServer(async (request, response) => {
    const domain = (request.url ?? '').slice(PATH.length);
    const { rows } = await pool.query({ name: 'select', text: SELECT, values: [domain] });
    const body = JSON.stringify({ beo: rows[0] ?? null });
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
    response.writeHead(rows.length === 1 ? 200 : 404, headers).end(body);
  }),
);
