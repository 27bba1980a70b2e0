import type english from '../en/shell.ts';

export default {
  skip: 'Saltar al contenido',
  home: 'Perpetua, ir a la página de inicio',
  nav: 'En todas partes',
  explore: 'Explorar',
  signIn: 'Entrar',
  language: 'Idioma',
  useDarkTheme: 'Usar el tema oscuro',
  useLightTheme: 'Usar el tema claro',
  devnet: { short: 'No permanente', long: 'Red de prueba, no permanente' },
  arweave: { short: 'Arweave', long: 'Arweave, permanente' },
  footer: {
    machines: 'Para las máquinas y quienes las cuidan',
    ledger: 'Cabecera del registro',
    entries: 'Todas las entradas del registro',
    ready: 'Disponibilidad',
    health: 'Estado del servicio',
    about: 'Antes de firmar',
    public: 'Qué es público y qué no',
    recover: '¿Perdiste tu clave?',
    version: 'Versión {version}',
    nothingElse: 'Esta página no usa cookies ni pide nada a ningún otro servidor.',
  },
} satisfies typeof english;
