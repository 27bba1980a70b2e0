import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SecondWitness } from '../../../protocol/transparency/test-second-implementation.ts';

/** What a witness does instead of its protocol; returns false to follow the protocol. */
export type Misbehave = (request: IncomingMessage, response: ServerResponse, body: Buffer) => boolean;

export interface TestWitness {
  readonly witness: SecondWitness;
  readonly url: string;
  /** An element of WITNESSES. */
  readonly setting: string;
  /** The bodies of the requests. */
  readonly requests: Buffer[];
  misbehave: Misbehave | null;
  stop(): Promise<void>;
}

/** A witness behind real HTTP, of the second implementation, that can be made to misbehave. */
export async function startTestWitness(name: string, logs: readonly string[] = []): Promise<TestWitness> {
  const witness = new SecondWitness(name, randomBytes(32), logs);
  const requests: Buffer[] = [];
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part);
    const body = Buffer.concat(parts);
    requests.push(body);
    if (tested.misbehave?.(request, response, body)) return;
    const isAddCheckpoint = request.method === 'POST' && request.url === '/add-checkpoint';
    const answer = isAddCheckpoint ? witness.answer(body) : { status: 404, body: '' };
    response.writeHead(answer.status, answer.type ? { 'content-type': answer.type } : {}).end(answer.body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const tested: TestWitness = {
    witness,
    url,
    setting: `${url} ${witness.vkey}`,
    requests,
    misbehave: null,
    async stop() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
  return tested;
}
