import type { z } from 'zod';
import { nextClientAddress } from './load/http-request.ts';

/**
 * Sends a GET, or a POST of a body, to the server under test, each from another client address.
 * @throws {Error} with the beginning of the response, where its status or its shape is wrong
 */
export async function requestJson<Shape extends z.ZodType>(url: string, shape: Shape, body?: string) {
  const headers = { 'content-type': 'application/json', 'x-forwarded-for': nextClientAddress() };
  const response = await fetch(url, { headers, ...(body !== undefined && { method: 'POST', body }) });
  const text = await response.text();
  if (!response.ok) throw new Error(`The response to ${url} was ${response.status}: ${text.slice(0, 300)}`);
  return shape.parse(JSON.parse(text));
}
