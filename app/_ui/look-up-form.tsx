'use client';

import { Search } from 'lucide-react';
import { useSearchParams } from 'next/navigation';
import { type FormEvent, useState } from 'react';
import { Button } from './button.tsx';
import { Field } from './field.tsx';

type LookUpFormProps = {
  /** The address and the parameter, used without scripts. */
  action: string;
  name: string;
  /** The text that the field starts with. */
  initial: string;
  label: string;
  hint: string;
  submit: string;
  onLookUp: (typed: string) => void;
};

/** Asks for a domain or an id; keeps the chosen language, also without scripts. */
export function LookUpForm({ action, name, initial, label, hint, submit, onLookUp }: LookUpFormProps) {
  const lang = useSearchParams().get('lang');
  const [typed, setTyped] = useState(initial);

  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    onLookUp(typed);
  };

  return (
    <form action={action} method="get" onSubmit={send}>
      {lang && <input type="hidden" name="lang" value={lang} />}
      <Field
        name={name}
        label={label}
        hint={hint}
        value={typed}
        onType={setTyped}
        maxLength={80}
        autoComplete="off"
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        enterKeyHint="search"
        action={
          <Button type="submit" look="secondary" size="large">
            <Search aria-hidden />
            {submit}
          </Button>
        }
      />
    </form>
  );
}
