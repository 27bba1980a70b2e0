import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { Redis } from 'ioredis';

export type UpstashBridge = {
  url: string;
  /** The number of HTTP requests that received a response. */
  requests: () => number;
  /** Further requests are accepted but receive no response. */
  hang: () => void;
  close: () => Promise<void>;
};

type Command = [name: string, ...args: string[]];

/** Implements Upstash's REST protocol (POST / and /pipeline, bearer token, base64 strings) in front of a Redis server. */
export async function createUpstashBridge(redisUrl: string, token: string): Promise<UpstashBridge> {
  const redis = new Redis(redisUrl, { maxRetriesPerRequest: 0 });
  redis.on('error', () => {});
  let answered = 0;
  let hanging = false;

  async function run([name, ...args]: Command) {
    try {
      return { result: inBase64(await redis.call(name, ...args.map(String))) };
    } catch (error) {
      return { error: (error as Error).message };
    }
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    if (hanging) return;
    answered += 1;
    response.setHeader('content-type', 'application/json');
    if (request.headers.authorization !== `Bearer ${token}`) {
      response.writeHead(401).end(JSON.stringify({ error: 'Unauthorized: invalid token' }));
      return;
    }
    const body = JSON.parse(Buffer.concat(chunks).toString());
    if (request.url === '/pipeline') {
      response.end(JSON.stringify(await Promise.all((body as Command[]).map(run))));
      return;
    }
    const reply = await run(body as Command);
    response.writeHead('error' in reply ? 400 : 200).end(JSON.stringify(reply));
  }

  const server = createServer((request, response) => void answer(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (!address || typeof address === 'string') throw new Error('the bridge has no port');

  return {
    url: `http://127.0.0.1:${address.port}`,
    requests: () => answered,
    hang: () => {
      hanging = true;
    },
    async close() {
      redis.disconnect();
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function inBase64(value: unknown): unknown {
  if (typeof value === 'string') return Buffer.from(value).toString('base64');
  return Array.isArray(value) ? value.map(inBase64) : value;
}
