import { Readable } from 'node:stream';
import { answer } from './answer.ts';
import { getContext } from './context.ts';
import type { RestRequest } from './http.ts';
import { clientAddressOf } from './node.ts';
import { readTarget, UNACCEPTABLE_PATH } from './request-target.ts';

/** Runs the API for Next's route handlers. */
export async function respond(request: Request): Promise<Response> {
  const { status, headers, body } = await answer(getContext(), fromWeb(request));
  const isWhole = body === null || typeof body === 'string' || body instanceof Uint8Array;
  const stream = isWhole ? body : Readable.toWeb(Readable.from(encoded(body)));
  return new Response(stream as BodyInit | null, { status, headers });
}

function fromWeb(request: Request): RestRequest {
  const { path, query, isAcceptable } = readTarget(request.url);
  return {
    method: request.method,
    path: isAcceptable ? path : UNACCEPTABLE_PATH,
    query,
    header: (name) => request.headers.get(name) ?? undefined,
    address: clientAddressOf(request.headers),
    isLocal: () => false,
    body: (maxBytes) => readBody(request, maxBytes),
  };
}

/** Null if the body is larger. */
async function readBody(request: Request, maxBytes: number): Promise<Uint8Array | null> {
  if (Number(request.headers.get('content-length') ?? 0) > maxBytes) return null;
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of (request.body ?? []) as AsyncIterable<Uint8Array>) {
    size += chunk.length;
    if (size > maxBytes) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

async function* encoded(parts: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  for await (const part of parts) yield encoder.encode(part);
}
