import type english from '../en/guardian.ts';

export default {
  step: 'Paso {step, number} de {steps, number}',
  titleOfStep: '{title} ({step, number} de {steps, number})',
  back: 'Atrás',
  continue: 'Continuar',
  todo: 'Qué puedes hacer',
  print: 'Imprimir esta página',
  role: { primary: 'primer guardián', secondary: 'segundo guardián', tertiary: 'tercer guardián' },
  noScripts: {
    title: 'Este paso necesita JavaScript',
    body: 'Tu clave se crea y se usa en este navegador y nunca sale de él. Para eso hace falta JavaScript. Actívalo o abre el enlace en otro dispositivo; no se pierde nada.',
  },
  unknown: {
    title: 'No conocemos este enlace',
    what: 'Quizá se perdió una parte al copiarlo o reenviarlo. No ha pasado nada.',
    todo: 'Ábrelo directamente desde el mensaje en que llegó. Si no funciona, pide a quien lo envió que te lo mande otra vez.',
  },
  busy: {
    title: 'El servicio está saturado',
    what: 'En este momento no puede consultar tu enlace. No ha pasado nada y el enlace sigue siendo válido.',
    todo: 'Espera un minuto y abre el enlace otra vez.',
  },
  broken: {
    title: 'No se pudo mostrar esta página',
    body: 'Algo falló de nuestro lado. No ha cambiado nada y tu enlace sigue siendo válido.',
    reference: 'Si preguntas por ello, indica esta referencia:',
    retry: 'Volver a intentarlo',
  },
  failed: 'No ha funcionado',
  errors: {
    UNREACHABLE:
      'No pudimos comunicarnos con el servidor, o su respuesta no te llegó. Revisa tu conexión y vuelve a intentarlo: nada se hace dos veces. Tu clave está a salvo.',
    UNAVAILABLE: 'El servicio está saturado. Espera un minuto y vuelve a intentarlo. Tu clave está a salvo.',
    RATE_LIMITED:
      'Llegaron demasiadas solicitudes desde tu red. Espera un minuto y vuelve a intentarlo. Tu clave está a salvo.',
    INTERNAL: 'Algo falló de nuestro lado. No ha cambiado nada. Vuelve a intentarlo en un minuto.',
    TIMESTAMP:
      'El reloj de este dispositivo está mal. Corrige la fecha y la hora y vuelve a intentarlo. Tu clave está a salvo.',
    LINK_NOT_FOUND: 'Este enlace ya no existe. Pide uno nuevo a quien lo envió.',
    LINK_EXPIRED: 'Este enlace ha dejado de valer mientras tanto. Pide uno nuevo a quien lo envió.',
    LINK_USED: 'Este enlace se ha usado mientras tanto, y no con tu clave.',
    BEO_LOCKED:
      'La identidad se ha bloqueado mientras tanto. Pide a su titular que la desbloquee y vuelve a intentarlo.',
    BEO_DESTROYED: 'La identidad se ha cerrado mientras tanto. Ya no queda nada por hacer.',
    PUBLIC_KEY_TAKEN:
      'Esta clave ya representa a otra persona en esta identidad. Cada guardián necesita una clave propia.',
    INVALID_SIGNATURE: 'El servidor esperaba la firma de otra clave. Abre la clave que recibió la invitación.',
    REQUEST_CLOSED: 'Esta solicitud se ha cerrado mientras tanto.',
    ALREADY_CONFIRMED: 'Ya confirmaste esta solicitud.',
    OTHER:
      'El servidor no lo aceptó ({code}). No ha cambiado nada. Vuelve a intentarlo o habla con quien envió el enlace.',
  },
} satisfies typeof english;
