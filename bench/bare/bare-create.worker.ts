import { verify } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import { type CreateRequest, createIdentityCommit } from './commit-identities.ts';
import { ed25519Key } from './ed25519-key.ts';
import { serveBare } from './serve-bare.ts';

// The least that taking a createBEO can be: node:http, JSON.parse, native verify, item signing, the batched insert.
serveBare((pool) => {
  const commit = createIdentityCommit(pool);

  async function answer(body: Buffer, response: ServerResponse): Promise<void> {
    const request = JSON.parse(body.toString()) as CreateRequest;
    if (!(await isSigned(request))) return send(response, 401, { error: 'The signature is wrong.' });
    const { id, bytes } = await commit(request);
    send(response, 201, { transactionId: id, receipt: bytes.toString('base64'), domain: request.domain });
  }

  return createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks);
      answer(body, response).catch((error: Error) => send(response, 500, { error: error.message }));
    });
  });
});

function isSigned({ signature, domain, nonce, publicKey, recovery, timestamp }: CreateRequest): Promise<boolean> {
  const message = JSON.stringify({ domain, function: 'createBEO', nonce, publicKey, recovery, timestamp });
  const key = ed25519Key(publicKey);
  return new Promise((resolve) => {
    verify(null, Buffer.from(message), key, Buffer.from(signature, 'base64'), (error, good) => resolve(!error && good));
  });
}

function send(response: ServerResponse, status: number, answer: object): void {
  const body = JSON.stringify(answer);
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
  response.writeHead(status, headers).end(body);
}
