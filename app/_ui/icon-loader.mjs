/**
 * Has lucide-react make its icons with create-icon.tsx. Its own are client components, with options that no page uses: every
 * page would load their script, and the drawings that the server has rendered already.
 */
export default function iconLoader() {
  return `export { createIcon as default } from '../../../../app/_ui/create-icon.tsx';`;
}
