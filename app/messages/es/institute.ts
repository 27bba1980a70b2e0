/** The pages of the institute. */
export default {
  title: 'Instituto',
  lead: 'El instituto decide qué instituciones se admiten y se certifican. Cada decisión queda en el registro público.',

  key: {
    label: 'Clave del instituto',
    what: 'Se queda solo en la memoria de esta página. Se envía con cada decisión, y se olvida diez minutos después de escribirla, o cuando usted sale de la página o la recarga.',
    use: 'Usar esta clave',
    empty: 'Escriba la clave.',
    held: 'Se guarda una clave hasta las {time}.',
    forget: 'Olvidar la clave',
    forgotten: 'La clave está olvidada.',
    first: 'Escriba antes su clave del instituto.',
    hidden: 'La clave no se muestra. El servicio dice de quién es cuando usted decide.',
  },

  back: 'Volver a las propuestas',
  pending: 'Propuestas que esperan una segunda clave',
  nonePending: 'Ninguna propuesta está a la espera.',
  closed: 'Propuestas cerradas',
  noneClosed: 'Todavía no se ha cerrado ninguna.',
  open: 'Proponer algo',
  openWhat:
    'Suspender, readmitir o revocar una institución, o cambiar el nivel de su certificación. Deciden dos de tres claves.',
  certify: 'Certificar una institución',
  certifyWhat: 'Con categorías, finalidades y un final. Decide una sola clave, de inmediato.',

  does: {
    suspendIEO: 'Suspender {name}',
    reinstateIEO: 'Readmitir {name}',
    revokeIEO: 'Revocar {name} para siempre',
    changeCertLevel: 'Cambiar la certificación de {name}',
  },
  effect: {
    suspendIEO:
      'No podrá enviar, leer ni recibir consentimientos hasta que se la readmita. Sus consentimientos se quedan, y entonces vuelven a contar.',
    reinstateIEO:
      'Podrá enviar, leer y recibir consentimientos de nuevo. Los consentimientos que sigan vigentes vuelven a contar.',
    revokeIEO:
      'Nunca más podrá hacer nada, y terminan todos los consentimientos que ha recibido. Eso no se puede deshacer.',
    changeCertLevel: 'Su certificación será «{level}»{until, select, none {, sin final.} other {, hasta el {until}.}}',
  },

  proposal: {
    about: 'Institución',
    reason: 'Motivo',
    why: 'Por qué se propone',
    approvedBy: 'Aprobada',
    approver: 'Clave {approver, number}, {day}',
    expires: 'Caduca el',
    executed: 'Ejecutada el',
    state: { PENDING: 'A la espera', EXECUTED: 'Ejecutada', EXPIRED: 'Caducada' },
    approve: 'Aprobar',
    approveTitle: '¿Aprobar esta propuesta?',
    second: 'La suya es la segunda clave: la decisión se ejecuta de inmediato.',
    yes: 'Aprobar y ejecutar',
    no: 'No aprobar',
    ledger: 'En el registro público',
    approved: 'Se ha ejecutado: {what}.',
  },

  propose: {
    title: 'Proponer algo',
    action: '¿Qué hay que hacer?',
    noAction: 'Elija una opción.',
    choice: {
      suspendIEO: { name: 'Suspender', what: 'Por un tiempo: se la puede readmitir.' },
      reinstateIEO: { name: 'Readmitir', what: 'Una institución suspendida vuelve a trabajar.' },
      revokeIEO: { name: 'Revocar', what: 'Para siempre: sus consentimientos terminan.' },
      changeCertLevel: { name: 'Cambiar el nivel', what: 'De su certificación; categorías y finalidades se quedan.' },
    },
    institution: '¿Qué institución?',
    searchHint: 'Escriba el principio de su nombre, o su dominio entero.',
    noInstitution: 'Elija una institución.',
    nobody: 'Ninguna institución para la que esto se pueda hacer se llama así.',
    chosen: 'Elegida: {name} ({domain})',
    another: 'Elegir otra',
    level: 'Nuevo nivel',
    noLevel: 'Elija un nivel.',
    expires: 'Termina el',
    expiresHint: 'Déjelo en blanco si no tiene final.',
    badDay: 'Elija un día posterior a hoy.',
    reason: 'Motivo',
    reasonHint: 'Cualquiera puede leerlo, para siempre. Como máximo 500 caracteres.',
    noReason: 'Diga por qué.',
    why: 'Por qué lo propone',
    whyHint: 'Para las otras claves, y también público. Como máximo 1000 caracteres.',
    first: 'La suya es la primera aprobación. Una segunda clave la ejecuta, en un plazo de siete días.',
    send: 'Abrir la propuesta',
    sending: 'Abriendo la propuesta …',
    done: 'La propuesta está abierta, y aprobada por su clave. Ahora necesita una segunda clave.',
  },

  certifying: {
    title: 'Certificar una institución',
    lead: 'Decide una sola clave, de inmediato. Sustituye la certificación entera: lo que quede en blanco se elimina.',
    scope:
      'Los fines y los datos restringen aquello para lo que una institución aparece como certificada. No restringen lo que las personas pueden permitirle.',
    intents: 'Certificada para estos fines',
    intentsHint: 'Aparece como certificada solo para lo que marque. Si no marca nada, vale para todos los fines.',
    categories: 'Certificada para datos sobre',
    categoriesHint: 'Aparece como certificada solo para lo que marque. Si no marca nada, vale para todos los datos.',
    send: 'Certificar ahora',
    sending: 'Certificando …',
    done: '{name} está certificada: {level}.',
    withdrawn: 'La certificación de {name} se ha retirado.',
  },

  problem: {
    INSTITUTE_KEY_INVALID:
      'Esta no es ninguna de las claves del instituto. No se decidió nada. Escriba la clave de nuevo.',
    INSTITUTE_KEY_MISSING: 'La clave no llegó. No se decidió nada. Escriba la clave de nuevo.',
    ALREADY_APPROVED: 'Esta clave ya aprobó la propuesta. La segunda tiene que ser otra clave.',
    REQUEST_CLOSED: 'Esta propuesta está cerrada: se ejecutó, o caducó. Ábrala de nuevo si todavía hace falta.',
    PROPOSAL_NOT_FOUND: 'No hay tal propuesta.',
    IEO_NOT_ACTIVE: 'El estado actual de la institución no lo permite. La propuesta sigue abierta.',
    IEO_LOCKED: 'La institución está bloqueada por su propia clave, lo que no lo permite. La propuesta sigue abierta.',
    IEO_DESTROYED: 'La institución fue destruida por su propia clave. Ya no hay nada que decidir.',
    IEO_NOT_FOUND: 'No hay tal institución.',
    NOT_LOCKED: 'La institución no está suspendida, así que no se la puede readmitir.',
    UNREACHABLE:
      'No llegó respuesta, y no se sabe si la decisión se tomó. Mire la lista de propuestas antes de hacerlo de nuevo.',
  },
};
