import { Button } from '../../_ui/button.tsx';
import { Dialog } from '../../_ui/dialog.tsx';
import type { Warning } from './warning.ts';

type ConfirmProps = { warning: Warning; onConfirm: () => void; onClose: () => void };

/** What the request would do, before it is sent. */
export function Confirm({ warning: { title, sentences, confirm }, onConfirm, onClose }: ConfirmProps) {
  return (
    <Dialog title={title} onClose={onClose}>
      <div className="mt-2 space-y-3">
        {sentences.map((sentence) => (
          <p key={sentence}>{sentence}</p>
        ))}
      </div>
      <div className="mt-6 flex flex-wrap gap-3">
        <Button onClick={onConfirm}>{confirm}</Button>
        <Button look="secondary" onClick={onClose}>
          Cancel
        </Button>
      </div>
    </Dialog>
  );
}
