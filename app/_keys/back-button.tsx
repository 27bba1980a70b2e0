'use client';

import { ArrowLeft } from 'lucide-react';
import { Button } from '../_ui/button.tsx';

type BackButtonProps = {
  /** Names the destination: the page may have another back button. */
  label: string;
  onBack: () => void;
  disabled?: boolean;
};

export function BackButton({ label, onBack, disabled = false }: BackButtonProps) {
  return (
    <div>
      <Button look="quiet" onClick={onBack} disabled={disabled} className="-ml-5">
        <ArrowLeft aria-hidden />
        {label}
      </Button>
    </div>
  );
}
