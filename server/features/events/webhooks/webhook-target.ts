import { contactUrlProblem } from '../../../../protocol/entities/contacts.ts';
import { parseUrl } from '../../../../protocol/parse-url.ts';
import type { AddressRules } from '../../../network/checked-address.ts';

/** What requests to webhooks may reach. Private addresses are dangerous: see docs/operations.md. */
export interface TargetRules extends AddressRules {
  readonly ports: readonly number[];
}

export type TargetProblem = 'URL_NOT_ALLOWED' | 'PORT_NOT_ALLOWED';

export class TargetRefused extends Error {
  readonly problem: TargetProblem;
  constructor(problem: TargetProblem) {
    super(problem);
    this.problem = problem;
  }
}

/** @throws {TargetRefused} if no request may be sent to the URL, whatever its host resolves to */
export function checkUrl(text: string, rules: Omit<TargetRules, 'resolve'>): URL {
  const url = parseUrl(text);
  if (url?.protocol !== 'https:') throw new TargetRefused('URL_NOT_ALLOWED');
  if (!rules.privateAddresses && contactUrlProblem(text) !== null) throw new TargetRefused('URL_NOT_ALLOWED');
  if (!rules.ports.includes(Number(url.port || 443))) throw new TargetRefused('PORT_NOT_ALLOWED');
  return url;
}
