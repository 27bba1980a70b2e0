import type uPlot from 'uplot';

/** Moves the crosshair to the nearest point; a position outside the plot stays. */
export function snapped(plot: uPlot, left: number, top: number): [left: number, top: number] {
  const at = left < 0 ? undefined : plot.data[0][plot.posToIdx(left)];
  return [at === undefined ? left : plot.valToPos(at, 'x'), top];
}

/**
 * Moves the crosshair with a finger or a pen: uPlot follows the mouse only. A drag to the side is the chart's; one up or down still
 * scrolls the page. @returns a function that ends it
 */
export function followFinger(plot: uPlot): () => void {
  const { over } = plot;
  const follow = ({ pointerType, clientX, clientY }: PointerEvent) => {
    if (pointerType === 'mouse') return;
    const box = over.getBoundingClientRect();
    const left = Math.min(Math.max(clientX - box.left, 0), box.width);
    plot.setCursor({ left, top: Math.min(Math.max(clientY - box.top, 0), box.height) });
  };
  over.style.touchAction = 'pan-y';
  over.addEventListener('pointerdown', follow);
  over.addEventListener('pointermove', follow);
  return () => {
    over.removeEventListener('pointerdown', follow);
    over.removeEventListener('pointermove', follow);
  };
}
