'use client';

import { type FormEvent, useRef, useState } from 'react';
import { Alert } from '../../_ui/alert.tsx';
import { Button } from '../../_ui/button.tsx';
import { TextArea } from '../text-area.tsx';
import { beginningBody, beginningParameters } from './beginning.ts';
import { Confirm } from './confirm.tsx';
import { DisposableKey } from './disposable-key.tsx';
import { ParameterFields } from './parameter-fields.tsx';
import { PreparedRequest } from './prepared-request.tsx';
import { ResponseView } from './response-view.tsx';
import type { TryTarget } from './target.ts';
import { renewKey, useTrySession } from './try-session.ts';
import { usePrepared } from './use-prepared.ts';
import { useSending } from './use-try-sending.ts';
import { warningOf } from './warning.ts';

export type TryFormProps = {
  target: TryTarget;
  /** The service that the page belongs to. */
  service: {
    /** Its public URL. */
    readonly url: string;
    readonly ledgerId: string;
    /** What domains end with, without the dot. */
    readonly suffix: string;
    /** Whether the ledger is on a permanent network. */
    readonly isPermanent: boolean;
  };
};

/** Builds, signs and sends a request. */
export function TryForm({ target, service }: TryFormProps) {
  const session = useTrySession();
  const [body, setBody] = useState(() => beginningBody(target, session, service.suffix));
  const [parameters, setParameters] = useState(() => beginningParameters(target, session));
  const { prepared, problem, prepareAgain } = usePrepared(target, { body, parameters }, session.key, service.ledgerId);
  const { outcome, isSending, send } = useSending(target, prepareAgain);
  const [isAsking, setIsAsking] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const warning = warningOf(target, service.isPermanent);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (problem) form.current?.querySelector<HTMLElement>('[aria-invalid], textarea, input')?.focus();
    else if (warning) setIsAsking(true);
    else void send(prepared);
  };

  return (
    <div className="grid gap-8 lg:grid-cols-2">
      <div className="min-w-0 space-y-6">
        {target.signed && (
          <DisposableKey
            session={session}
            onRenew={() => {
              const renewed = renewKey();
              setBody((text) => text.replaceAll(session.key.publicKey, renewed.publicKey));
            }}
          />
        )}
        <form ref={form} onSubmit={submit} noValidate className="space-y-6">
          <ParameterFields
            fields={target.parameters}
            values={parameters}
            onChange={(name, value) => setParameters((values) => ({ ...values, [name]: value }))}
          />
          {target.body && (
            <TextArea
              label="Members of the body (JSON)"
              hint={target.signed ? 'ledgerId, nonce, timestamp and signature are added.' : 'As it is sent.'}
              value={body}
              onChange={(event) => setBody(event.target.value)}
              error={problem}
            />
          )}
          {problem && !target.body && <Alert tone="danger">{problem}</Alert>}
          {warning && <p className="text-muted">You are asked for a confirmation before it is sent.</p>}
          <Button type="submit" busy={isSending}>
            {target.signed ? 'Sign and send' : 'Send'}
          </Button>
        </form>
        <ResponseView outcome={outcome} />
      </div>
      <PreparedRequest target={target} prepared={prepared} url={service.url} onPrepareAgain={prepareAgain} />
      {isAsking && warning && (
        <Confirm
          warning={warning}
          onConfirm={() => {
            setIsAsking(false);
            void send(prepared);
          }}
          onClose={() => setIsAsking(false)}
        />
      )}
    </div>
  );
}
