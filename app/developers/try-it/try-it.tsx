'use client';

import { type ComponentType, useRef, useState } from 'react';
import { Alert } from '../../_ui/alert.tsx';
import { Button } from '../../_ui/button.tsx';
import type { TryTarget } from './target.ts';
import type { TryFormProps } from './try-form.tsx';

/** Once the form was opened, the next requests show theirs at once. */
let loaded: ComponentType<TryFormProps> | null = null;

/** Sends the request of a page from the browser. The form and the code that signs are loaded when it is opened. */
export function TryIt(props: TryFormProps) {
  const [Form, setForm] = useState(() => loaded);
  const [state, setState] = useState<'closed' | 'loading' | 'failed'>('closed');
  const heading = useRef<HTMLHeadingElement>(null);

  const open = async () => {
    setState('loading');
    try {
      const { TryForm } = await import('./try-form.tsx');
      loaded = TryForm;
      setForm(() => TryForm);
      heading.current?.focus();
    } catch {
      setState('failed');
    }
  };

  return (
    <section id="try-it" className="mt-10 scroll-mt-4 unscripted:hidden">
      <h2 ref={heading} tabIndex={-1} className="focus:outline-none">
        Try it
      </h2>
      <p className="mt-2 mb-4 max-w-prose">{introductionOf(props.target)}</p>
      {Form && <Form {...props} />}
      {!Form && (
        <Button look="secondary" busy={state === 'loading'} onClick={open}>
          Open the form
        </Button>
      )}
      <div aria-live="polite" className="max-w-prose">
        {state === 'failed' && (
          <Alert tone="danger" className="mt-4">
            The form could not be loaded. Check your connection and try again.
          </Alert>
        )}
      </div>
    </section>
  );
}

function introductionOf({ signed, forInstitute }: TryTarget): string {
  if (forInstitute) {
    return 'Send this request from your browser to this service. The form has no institute key and takes none, so the response is the error that a request without one gets.';
  }
  return signed
    ? 'Sign this request with a disposable key in your browser, see each step, and send it to this service.'
    : 'Send this request from your browser to this service.';
}
