'use client';

import { type FormEvent, useRef, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import type { ContactProblem } from '../../../../protocol/entities/contacts.ts';
import type { IeoView } from '../../../../protocol/entities/ieo.ts';
import { useWrite } from '../../../_session/write.tsx';
import type { Failure } from '../../../_trpc/failure.ts';
import { Refused } from '../../../_trpc/refused.tsx';
import { Button } from '../../../_ui/button.tsx';
import { Field } from '../../../_ui/field.tsx';
import { FormActions } from '../../../_ui/form-actions.tsx';
import { Done, Part } from '../../_safety/part.tsx';

type Contact = 'apiEndpoint' | 'webhookUrl';

/** `bad`: the server rejected the address for a reason that it does not state as a code. */
type Problems = Partial<Record<Contact, ContactProblem | 'bad' | null>>;

type Step =
  | { readonly at: 'editing'; readonly problems: Problems; readonly failure: Failure | null }
  | { readonly at: 'sending' | 'saved' | 'unchanged' };

/** The API and webhook addresses of the institution. */
export function ContactsForm({ institution }: { institution: Pick<IeoView, 'ieo_id' | 'contacts'> }) {
  const t = useTranslations('institution.settings.contacts');
  const write = useWrite();
  const inputs = { apiEndpoint: useRef<HTMLInputElement>(null), webhookUrl: useRef<HTMLInputElement>(null) };
  const { api_endpoint: api, webhook_url: webhook } = institution.contacts;
  const [typed, setTyped] = useState<Record<Contact, string>>({ apiEndpoint: api ?? '', webhookUrl: webhook ?? '' });
  const [step, setStep] = useState<Step>({ at: 'editing', problems: {}, failure: null });
  const problems = step.at === 'editing' ? step.problems : {};

  /** Shows the problems, and focuses the first wrong field. */
  const reject = (found: Problems, failure: Failure | null = null) => {
    const first = found.apiEndpoint ? 'apiEndpoint' : found.webhookUrl ? 'webhookUrl' : null;
    if (first) inputs[first].current?.focus();
    setStep({ at: 'editing', problems: found, failure: first ? null : failure });
  };

  const send = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (step.at === 'sending') return;
    const [apiEndpoint, webhookUrl] = [typed.apiEndpoint.trim() || null, typed.webhookUrl.trim() || null];
    if (apiEndpoint === api && webhookUrl === webhook) return setStep({ at: 'unchanged' });
    setStep({ at: 'sending' });
    const found = await problemsOf({ apiEndpoint, webhookUrl });
    if (found.apiEndpoint || found.webhookUrl) return reject(found);
    const written = await write('updateIEOContacts', { ieoId: institution.ieo_id, apiEndpoint, webhookUrl });
    if (written.ok) setStep({ at: 'saved' });
    else reject(refusedIn(written.failure), written.failure);
  };

  const field = (contact: Contact, label: string, hint: string) => {
    const problem = problems[contact];
    return (
      <Field
        ref={inputs[contact]}
        type="url"
        inputMode="url"
        label={label}
        hint={hint}
        error={problem ? t(problem) : undefined}
        value={typed[contact]}
        onType={(text) => {
          setTyped({ ...typed, [contact]: text });
          if (step.at === 'saved' || step.at === 'unchanged') setStep({ at: 'editing', problems: {}, failure: null });
        }}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        limit={500}
      />
    );
  };

  return (
    <Part id="contacts" title={t('title')}>
      <form onSubmit={send} noValidate className="space-y-5">
        <p>{t('lead')}</p>
        {field('apiEndpoint', t('api'), t('hint'))}
        {field('webhookUrl', t('webhook'), t('webhookHint'))}
        <Refused failure={step.at === 'editing' ? step.failure : null} />
        <Done>{(step.at === 'saved' || step.at === 'unchanged') && t(step.at)}</Done>
        <FormActions>
          <Button type="submit" busy={step.at === 'sending'}>
            {t(step.at === 'sending' ? 'saving' : (api ?? webhook) ? 'change' : 'save')}
          </Button>
        </FormActions>
      </form>
    </Part>
  );
}

/** By the rule of the protocol. None if the rule cannot be loaded: the server checks it too. */
async function problemsOf(urls: Record<Contact, string | null>): Promise<Problems> {
  const rule = await import('../../../../protocol/entities/contacts.ts').catch(() => null);
  const problem = (url: string | null) => (url === null ? null : (rule?.contactUrlProblem(url) ?? null));
  return { apiEndpoint: problem(urls.apiEndpoint), webhookUrl: problem(urls.webhookUrl) };
}

/** The addresses that the server rejected (VALIDATION_FAILED, protocol §5). */
function refusedIn(failure: Failure | null): Problems {
  const issues =
    failure?.code === 'VALIDATION_FAILED' && Array.isArray(failure.details?.issues) ? failure.details.issues : [];
  const names = (issues as readonly { readonly path?: unknown }[]).map(({ path }) => path);
  return {
    ...(names.includes('apiEndpoint') && { apiEndpoint: 'bad' }),
    ...(names.includes('webhookUrl') && { webhookUrl: 'bad' }),
  };
}
