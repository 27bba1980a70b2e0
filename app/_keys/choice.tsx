'use client';

import { ChevronRight } from 'lucide-react';
import type { ComponentType, ReactNode } from 'react';

type ChoiceProps = {
  icon: ComponentType<{ 'aria-hidden': true; className?: string }>;
  name: ReactNode;
  what: ReactNode;
  onChoose: () => void;
};

/** A large button with a sentence, for one of a few options. */
export function Choice({ icon: Icon, name, what, onChoose }: ChoiceProps) {
  return (
    <button
      type="button"
      onClick={onChoose}
      className="flex w-full cursor-pointer items-center gap-4 rounded-lg border-2 border-edge bg-surface p-4 text-left transition-colors duration-150 hover:border-ink hover:bg-sunken sm:p-5"
    >
      <Icon aria-hidden className="size-7 shrink-0 text-accent max-[16rem]:hidden" />
      <span className="min-w-0 grow">
        <span className="block text-lg font-bold">{name}</span>
        <span className="block text-muted">{what}</span>
      </span>
      <ChevronRight aria-hidden className="size-5 shrink-0 text-muted max-[16rem]:hidden" />
    </button>
  );
}
