import type english from '../en/guardian.ts';

export default {
  step: 'Paso {step, number} de {steps, number}',
  titleOfStep: '{title} ({step, number} de {steps, number})',
  back: 'Atrás',
  continue: 'Continuar',
  todo: 'Qué puede hacer',
  print: 'Imprimir esta página',
  role: { primary: 'primer guardián', secondary: 'segundo guardián', tertiary: 'tercer guardián' },
  noScripts: {
    title: 'Este paso necesita JavaScript',
    body: 'Su clave se crea y se usa en este navegador y nunca sale de él. Para eso hace falta JavaScript. Actívelo o abra el enlace en otro dispositivo; no se pierde nada.',
  },
  unknown: {
    title: 'No conocemos este enlace',
    what: 'Quizá se perdió una parte al copiarlo o reenviarlo, o tiene más de un mes. No ha pasado nada.',
    todo: 'Ábralo directamente desde el mensaje en que llegó. Si no funciona, pida a quien lo envió que se lo mande otra vez.',
  },
  destroyed: {
    title: 'Esta identidad ya no existe',
    what: 'Su titular le puso fin para siempre, y este enlace terminó con ella. A su clave no le ha pasado nada.',
    todo: 'No tiene que hacer nada. Si le sorprende, llame a quien le envió el enlace.',
  },
  restored: {
    title: 'Este enlace es anterior a la reconstrucción del servicio',
    what: 'El servicio se rehízo a partir de su registro público, que no guarda enlaces. No ha pasado nada, y quien era guardián lo sigue siendo.',
    todo: 'Pida un enlace nuevo a quien le envió este.',
  },
  busy: {
    title: 'El servicio está saturado',
    what: 'En este momento no puede consultar su enlace. No ha pasado nada y el enlace sigue siendo válido.',
    todo: 'Espere un minuto y abra el enlace otra vez.',
  },
  broken: {
    title: 'No se pudo mostrar esta página',
    body: 'Algo falló de nuestro lado. No ha cambiado nada y su enlace sigue siendo válido.',
    reference: 'Si pregunta por ello, indique esta referencia:',
    retry: 'Volver a intentarlo',
  },
  failed: 'No ha funcionado',
  errors: {
    UNREACHABLE:
      'No pudimos comunicarnos con el servidor, o su respuesta no le llegó. Revise su conexión y vuelva a intentarlo: nada se hace dos veces. Su clave está a salvo.',
    UNAVAILABLE: 'El servicio está saturado. Espere un minuto y vuelva a intentarlo. Su clave está a salvo.',
    RATE_LIMITED:
      'Llegaron demasiadas solicitudes desde su red. Espere un minuto y vuelva a intentarlo. Su clave está a salvo.',
    INTERNAL: 'Algo falló de nuestro lado. No ha cambiado nada. Vuelva a intentarlo en un minuto.',
    TIMESTAMP:
      'El reloj de este dispositivo está mal. Corrija la fecha y la hora y vuelva a intentarlo. Su clave está a salvo.',
    LINK_NOT_FOUND: 'Este enlace ya no existe. Pida uno nuevo a quien lo envió.',
    LINK_EXPIRED: 'Este enlace ha dejado de valer mientras tanto. Pida uno nuevo a quien lo envió.',
    LINK_USED: 'Este enlace se ha usado mientras tanto, y no con su clave.',
    BEO_LOCKED:
      'La identidad se ha bloqueado mientras tanto. Pida a su titular que la desbloquee y vuelva a intentarlo.',
    BEO_DESTROYED: 'La identidad se ha cerrado mientras tanto. Ya no queda nada por hacer.',
    PUBLIC_KEY_TAKEN:
      'Esta clave ya representa a otra persona en esta identidad. Cada guardián necesita una clave propia.',
    INVALID_SIGNATURE: 'El servidor esperaba la firma de otra clave. Abra la clave que recibió la invitación.',
    REQUEST_CLOSED: 'Esta solicitud se ha cerrado mientras tanto.',
    ALREADY_CONFIRMED: 'Usted ya confirmó esta solicitud.',
    OTHER:
      'El servidor no lo aceptó ({code}). No ha cambiado nada. Vuelva a intentarlo o hable con quien envió el enlace.',
  },
} satisfies typeof english;
