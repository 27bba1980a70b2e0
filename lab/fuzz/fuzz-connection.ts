import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises';
import { createResponseReader, type WireResponse } from './response-reader.ts';
import type { Plan } from './wire.ts';

/** What came back, and how long it took from the last byte of the requests. */
export interface Received {
  readonly responses: readonly WireResponse[];
  readonly sentAt: number;
  /** When the last response was complete. */
  readonly receivedAt: number;
  /** Why responses are missing or wrong; null if nothing is known. */
  readonly problem: string | null;
}

export interface Sender {
  send(plan: Plan): Promise<Received>;
  close(): void;
}

/** A request that may be incomplete: after this time without a response the client ends its side. */
const PATIENCE_MS = 300;
/** After which a missing response is reported as such. */
const MAX_WAIT_MS = 30_000;
export const NO_RESPONSE = `no response within ${MAX_WAIT_MS / 1000} seconds`;

/** Sends plans to a port of 127.0.0.1, on one connection as long as it lasts; what may be no request has its own. */
export function createSender(port: number): Sender {
  let kept: Line | null = null;
  return {
    async send(plan) {
      if (plan.expects !== 'every') return sendApart(port, plan);
      if (kept === null || !kept.isOpen()) kept = await openLine(port);
      const received = await kept.exchange(plan);
      if (received.problem !== null || received.responses.some(({ closes }) => closes)) kept.close();
      return received;
    },
    close: () => kept?.close(),
  };
}

interface Line {
  exchange(plan: Plan): Promise<Received>;
  isOpen(): boolean;
  close(): void;
}

async function openSocket(port: number): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  await once(socket, 'connect');
  return socket;
}

async function write(socket: Socket, pieces: readonly Buffer[]): Promise<void> {
  for (const [index, piece] of pieces.entries()) {
    if (index > 0) await turn();
    if (!socket.writable) return;
    socket.write(piece);
  }
}

async function openLine(port: number): Promise<Line> {
  const socket = await openSocket(port);
  let responses: WireResponse[] = [];
  let missing = 0;
  let problem: string | null = null;
  let settle: () => void = () => undefined;
  const reader = createResponseReader((response) => {
    if (missing === 0) problem ??= 'a response without a request';
    responses.push(response);
    missing -= 1;
    if (missing <= 0) settle();
  });
  const fail = (reason: string) => {
    problem ??= reason;
    socket.destroy();
    settle();
  };
  socket.on('data', (received) => {
    try {
      reader.take(received);
    } catch (error) {
      fail((error as Error).message);
    }
  });
  socket.on('error', ({ message }) => fail(message));
  socket.on('close', () => {
    try {
      reader.end();
    } catch (error) {
      problem ??= (error as Error).message;
    }
    if (missing > 0) fail('the server closed the connection without a response');
  });

  return {
    isOpen: () => problem === null && !socket.destroyed && socket.writable,
    close: () => socket.destroy(),
    async exchange({ requests, pieces }) {
      responses = [];
      missing = requests.length;
      for (const { method } of requests) reader.expect(method);
      const answered = new Promise<void>((resolve) => {
        settle = resolve;
      });
      const timer = setTimeout(() => fail(NO_RESPONSE), MAX_WAIT_MS);
      await write(socket, pieces);
      const sentAt = performance.now();
      if (missing > 0 && problem === null) await answered;
      clearTimeout(timer);
      // After a response that closes the connection, those to the requests behind it are lost.
      const isCut = problem !== null && responses.at(-1)?.closes === true;
      return { responses, sentAt, receivedAt: performance.now(), problem: isCut ? null : problem };
    },
  };
}

/** Whatever arrives until the server closes the connection or nothing more is expected. */
async function sendApart(port: number, { requests: [request], pieces, expects }: Plan): Promise<Received> {
  const socket = await openSocket(port);
  const responses: WireResponse[] = [];
  let problem: string | null = null;
  let receivedAt = 0;
  const answered = new AbortController();
  const reader = createResponseReader((response) => {
    responses.push(response);
    receivedAt = performance.now();
    answered.abort();
  });
  reader.expect(request?.method ?? 'GET');
  socket.on('data', (received) => {
    try {
      reader.take(received);
    } catch (error) {
      problem ??= (error as Error).message;
      socket.destroy();
    }
  });
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  socket.on('error', () => undefined);
  await write(socket, pieces);
  const sentAt = performance.now();
  if (expects === 'none') {
    await turn();
    if (socket.bytesWritten % 2 === 0) socket.resetAndDestroy();
    else socket.destroy();
  } else {
    await Promise.race([closed, sleep(PATIENCE_MS, null, { signal: answered.signal }).catch(() => undefined)]);
    // What is incomplete now gets its refusal.
    socket.end();
    await Promise.race([closed, sleep(MAX_WAIT_MS)]);
    if (!socket.closed)
      problem ??= `the connection was still open ${MAX_WAIT_MS / 1000} seconds after the client ended it`;
    socket.destroy();
  }
  await closed;
  return { responses, sentAt, receivedAt: receivedAt || sentAt, problem };
}
