import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { encryptFiles, type SharedFile, shareLink } from '../client/shares.ts';

export interface OtherServer {
  readonly origin: string;
  /** Makes a link to files of any kind, as another service does. */
  link(files: readonly SharedFile[]): Promise<string>;
  /** Answers a path with a text. */
  serve(path: string, text: string): void;
  stop(): void;
}

/** A service of others on another origin, which lets every site open its links. */
export async function startOtherServer(): Promise<OtherServer> {
  const answers = new Map<string, string>();
  const server = createServer((request, response) => {
    const text = answers.get(request.url ?? '');
    response.writeHead(text === undefined && request.method !== 'OPTIONS' ? 404 : 200, {
      'content-type': 'application/json',
      'access-control-allow-origin': '*',
      // The second is of these tests: fixtures.ts.
      'access-control-allow-headers': 'content-type, x-forwarded-for',
    });
    response.end(text ?? '');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    async link(files) {
      const { key, files: encrypted } = await encryptFiles(files);
      const path = `/${answers.size}`;
      const manifest = encrypted.map((embedded, index) => ({ contentType: files[index]?.contentType, embedded }));
      answers.set(path, JSON.stringify({ files: manifest }));
      return shareLink({ url: `${origin}${path}`, key, exp: null, flag: 'L', label: '<img src=x onerror=alert(1)>' });
    },
    serve: (path, text) => answers.set(path, text),
    stop: () => void server.close(),
  };
}
