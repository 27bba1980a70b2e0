import type { IeoType } from '../../../protocol/ieo.ts';

/** What somebody has answered so far. */
export interface Answers {
  readonly domain: string | null;
  readonly ieoType: IeoType | null;
  readonly displayName: string | null;
  /** Empty where nothing is said. */
  readonly country: string;
  readonly jurisdiction: string;
  readonly legalId: string;
  /** Whether they have looked at what becomes public. */
  readonly agreed: boolean;
  /** Whether they have a copy of the key that was seen to work. */
  readonly copied: boolean;
  /** Once it is registered. */
  readonly ieoId: string | null;
}

export const NOTHING_YET: Answers = {
  domain: null,
  ieoType: null,
  displayName: null,
  country: '',
  jurisdiction: '',
  legalId: '',
  agreed: false,
  copied: false,
  ieoId: null,
};

export const STEPS = ['domain', 'type', 'name', 'public', 'key', 'send', 'browser'] as const;
export type Step = (typeof STEPS)[number];

const ANSWERED: Record<Step, (answers: Answers) => boolean> = {
  domain: ({ domain }) => domain !== null,
  type: ({ ieoType }) => ieoType !== null,
  name: ({ displayName }) => displayName !== null,
  public: ({ agreed }) => agreed,
  key: ({ copied }) => copied,
  send: ({ ieoId }) => ieoId !== null,
  browser: () => false,
};

/** The screen that the address asks for, or the first before it whose question is still open; after the registration there is but one. */
export function stepFor(asked: string | null, answers: Answers): Step {
  if (answers.ieoId !== null) return 'browser';
  const open = STEPS.findIndex((step) => !ANSWERED[step](answers));
  const wanted = (STEPS as readonly (string | null)[]).indexOf(asked);
  return STEPS[Math.max(0, Math.min(wanted, open))] ?? 'domain';
}

/** The signed fields of createIEO (protocol §1); what was not said is not sent. */
export function registrationOf(answers: Answers, publicKey: string): Record<string, string> {
  const { domain, ieoType, displayName, country, jurisdiction, legalId } = answers;
  const said = { country, jurisdiction, legalId };
  return {
    domain: domain ?? '',
    ieoType: ieoType ?? '',
    displayName: displayName ?? '',
    publicKey,
    ...Object.fromEntries(Object.entries(said).filter(([, value]) => value !== '')),
  };
}
