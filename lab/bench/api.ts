import type { z } from 'zod';
import { nextClientAddress } from './load/client-address.ts';

/** A request to the server under test, each from another client address. */
export function fetchFrom(url: string | URL, init: RequestInit = {}): Promise<Response> {
  const headers = { 'content-type': 'application/json', 'x-forwarded-for': nextClientAddress() };
  return fetch(url, { ...init, headers });
}

/** @throws {Error} with the beginning of the response, where its status or its shape is wrong. */
export async function getJson<Shape extends z.ZodType>(url: string, shape: Shape): Promise<z.infer<Shape>> {
  return shape.parse(await jsonOf(`GET ${url}`, await fetchFrom(url)));
}

/** @throws {Error} with the beginning of the response, where its status or its shape is wrong. */
export async function postJson<Shape extends z.ZodType>(
  url: string,
  body: string,
  shape: Shape,
): Promise<z.infer<Shape>> {
  return shape.parse(await jsonOf(`POST ${url}`, await fetchFrom(url, { method: 'POST', body })));
}

async function jsonOf(request: string, response: Response): Promise<unknown> {
  const text = await response.text();
  if (!response.ok) throw new Error(`The response to ${request} was ${response.status}: ${text.slice(0, 300)}`);
  return JSON.parse(text);
}
