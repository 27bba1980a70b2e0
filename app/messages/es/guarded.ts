import type english from '../en/guarded.ts';

export default {
  title: 'De quién es usted guardián',
  lead: 'Si es guardián de alguien, su clave muestra de quién, si puede ayudar en este momento, y le permite renunciar.',
  which: '¿Con qué clave es usted guardián?',
  reading: 'Buscando de quién es guardiana esta clave…',
  retry: 'Volver a intentarlo',
  count:
    '{count, plural, =0 {Esta clave no guarda a nadie. Si aceptó una invitación con otra clave, bloquee esta y abra la otra.} one {Esta clave guarda una identidad.} other {Esta clave guarda # identidades.}}',
  ended: 'una identidad que se terminó',
  state: {
    eligible: 'Puede ayudar',
    unconfirmed: 'Sin confirmar todavía',
    off: 'Recuperación desactivada',
    leaving: 'Le han quitado',
  },
  said: {
    eligible: 'Si su titular pierde la clave, usted y otro guardián pueden darle una nueva a la identidad.',
    unconfirmed:
      'Todavía no puede ayudar: su titular no le ha confirmado. Pídale que le llame y compare las seis palabras.',
    off: 'Su titular ha desactivado la recuperación; en este momento ningún guardián puede ayudar.',
    leaving: 'Su titular le ha quitado. Hasta el <when></when> todavía puede confirmar una recuperación.',
  },
  since: 'Es su {role} desde el <when>.</when>',
  others:
    '{count, plural, =0 {En este momento ningún guardián puede ayudar; hacen falta {needed, number}.} one {En este momento puede ayudar un guardián; hacen falta {needed, number}.} other {En este momento pueden ayudar # guardianes; hacen falta {needed, number}.}}',
  locked: 'Su titular la ha bloqueado. Podrá renunciar cuando la desbloquee.',
  words: {
    show: 'Mostrar mis seis palabras',
    what: 'Léalas cuando el titular se las pida, por teléfono o en persona.',
    label: 'Sus seis palabras',
  },
  day: 'No necesita esta página para ayudar en una recuperación. Ese día recibirá un enlace; llame a la persona antes de abrirlo.',
  lock: 'Bloquear la clave',
  resign: 'Renunciar',
  resigned: 'Ya no es guardián de {domain}. Dígaselo usted: este servicio no lo hace.',
  leave: {
    title: '¿Dejar de ser guardián de {domain}?',
    lead: 'Tiene efecto de inmediato y no se puede deshacer. Para volver a ser guardián necesita una invitación nueva.',
    few: '{left, plural, =0 {Sin usted, ningún guardián puede ayudar a {domain} en este momento.} one {Sin usted queda un guardián que puede ayudar a {domain}.} other {Sin usted quedan # guardianes que pueden ayudar a {domain}.}} Hacen falta {needed, number}: una clave perdida quedaría perdida. Avise antes a la persona, para que invite a otra.',
    tell: 'Dígaselo usted: este servicio no lo hace.',
    public: 'Público, para siempre: que un guardián renunció, y cuándo. Ningún nombre.',
    yes: 'Sí, renunciar',
    sending: 'Firmando',
    no: 'Seguir siendo guardián',
  },
} satisfies typeof english;
