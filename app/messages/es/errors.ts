import type english from '../en/errors.ts';

export default {
  OTHER: 'El servidor lo rechazó ({code}). {message}',
  UNREACHABLE:
    'No se puede contactar con el servidor. Revise su conexión e inténtelo de nuevo. Si había enviado algo, puede que haya llegado de todos modos: compruébelo antes de volver a enviarlo.',
  RATE_LIMITED:
    'Llegaron demasiadas solicitudes desde su red en el último minuto. Espere un minuto e inténtelo de nuevo.',
  UNAVAILABLE: 'El servidor no puede hacerlo en este momento. Inténtelo de nuevo en un rato.',
  INTERNAL: 'Algo salió mal de nuestro lado. Nada cambió por error. Inténtelo de nuevo en un rato.',
  INTEGRITY_FAILED:
    'Lo guardado fue alterado o falta una parte; por eso no se muestra nada. Avise a quien opera este servicio.',

  VALIDATION_FAILED:
    'Algo de lo que se envió no tiene la forma que el servidor espera. Revise lo que escribió. Si está bien, el error es nuestro.',
  TIMESTAMP_TOO_OLD: 'Lo que firmó llegó demasiado tarde: una firma vale cinco minutos. Inténtelo de nuevo.',
  TIMESTAMP_IN_FUTURE:
    'El reloj de este dispositivo va adelantado, y la firma lleva una hora que aún no ha llegado. Ponga la fecha y la hora en automático e inténtelo de nuevo.',
  PUBLIC_KEY_INVALID: 'Esta clave no se puede usar aquí. Cree una nueva o revise lo que escribió.',
  DOMAIN_INVALID:
    'Este dominio no es válido. Use las letras de la a a la z, cifras, guiones y puntos, como máximo 64 caracteres en total.',
  DOMAIN_RESERVED: 'Este dominio contiene una palabra reservada. Elija otro.',
  CATEGORIES_REQUIRED:
    'Aún no ha elegido ningún tipo de datos. Elija al menos uno; no se comparte nada que usted no haya elegido.',
  RECORDS_REQUIRED: 'No hay ningún registro que enviar. Añada al menos uno.',

  INVALID_SIGNATURE:
    'La firma no coincide. Quizá esta identidad ya tiene una clave nueva: entre con la nueva, o vea qué identidad está usando.',
  CONSENT_REQUIRED: 'Esto necesita el consentimiento de la persona. Elija un consentimiento o pídale uno.',
  TOKEN_NOT_FOUND: 'No existe ese consentimiento. Revise su número o elíjalo en la lista.',
  TOKEN_REVOKED: 'Este consentimiento se retiró. Sin uno nuevo ya no permite nada.',
  TOKEN_EXPIRED: 'Este consentimiento ha vencido. Sin uno nuevo ya no permite nada.',
  INSTITUTE_KEY_MISSING: 'Esto necesita una clave del instituto. Escríbala primero.',
  INSTITUTE_KEY_INVALID: 'Esta no es una clave del instituto. Revísela y escríbala de nuevo.',

  INTENT_NOT_AUTHORIZED: 'El consentimiento no permite esto. Pida a la persona uno que lo permita.',
  CATEGORY_NOT_AUTHORIZED:
    'El consentimiento no abarca este tipo de datos. Déjelos fuera o pida un consentimiento más amplio.',
  PERIOD_NOT_AUTHORIZED:
    'El consentimiento no abarca este período. Elija uno dentro de él o pida un consentimiento más amplio.',
  RECORD_LIMIT_REACHED: 'Ya se usaron todos los registros que permite el consentimiento. Pida uno nuevo a la persona.',
  STORAGE_LIMIT_REACHED: 'No hay espacio para esto: ya está guardado todo lo que permite este servicio.',
  INTENT_NOT_ALLOWED_FOR_TYPE:
    'Una institución de este tipo no puede hacer esto. Elija otra finalidad u otra institución.',
  IEO_NOT_ACTIVE:
    'Esta institución no está activa en este momento, y no se puede hacer nada con ella. Su página dice por qué.',
  NOT_TOKEN_OWNER: 'Este consentimiento es de otra identidad. Entre con la que lo dio o lo recibió.',

  BEO_NOT_FOUND: 'No existe esa identidad. Revise el dominio; quizá la identidad fue destruida.',
  IEO_NOT_FOUND: 'No existe esa institución. Revise el dominio; quizá la institución fue destruida.',
  PROPOSAL_NOT_FOUND: 'No existe esa propuesta. Vuelva a cargar la lista.',
  TRANSACTION_NOT_FOUND: 'No existe esa entrada. Revise su número; tiene 43 caracteres.',
  LINK_NOT_FOUND: 'Este enlace no se conoce aquí. Compruebe que lo copió entero o pida uno nuevo.',
  NOT_FOUND: 'Aquí no hay nada. Revise la dirección.',
  BODY_TOO_LARGE: 'Es demasiado de una vez. Envíelo en partes más pequeñas.',

  NONCE_REUSED: 'Esta misma solicitud ya había llegado. Compruebe si se hizo antes de intentarlo de nuevo.',
  DOMAIN_TAKEN: 'Este dominio ya es de otra persona. Elija otro.',
  PUBLIC_KEY_TAKEN: 'Esta clave ya representa a otra persona en esta identidad. Use una clave propia.',
  KEY_UNCHANGED: 'Esta ya es la clave que vale. Para cambiarla, cree una nueva.',
  ALREADY_LOCKED: 'Ya está bloqueada. No hay nada más que hacer.',
  NOT_LOCKED: 'No está bloqueada. No hay nada que desbloquear.',
  DUPLICATE_TOKEN: 'Ya dio este mismo consentimiento a esta institución, y sigue vigente. Retire primero ese.',
  TOKEN_ALREADY_REVOKED: 'Este consentimiento ya se había retirado. No hay nada más que hacer.',
  GUARDIAN_LIMIT: 'Ya tiene tres guardianes, y no puede haber más. Quite a uno antes de invitar a otro.',
  GUARDIAN_ROLE_TAKEN: 'Este lugar ya es de otro guardián. Elija uno libre o quite antes a ese guardián.',
  ALREADY_CONFIRMED: 'Esto ya estaba confirmado. No hay nada más que hacer.',
  ALREADY_APPROVED: 'Esta clave ya aprobó la propuesta. La segunda aprobación necesita otra clave.',
  RECOVERY_NOT_CONFIGURED: 'Esta identidad no tiene dos guardianes que puedan recuperarla.',
  RECOVERY_COOLDOWN:
    'Esta identidad se recuperó hace menos de 24 horas. Por seguridad, esto debe esperar a que pasen las 24 horas.',
  WRONG_LEDGER: 'Esto se firmó para otro servicio. Vuelva a cargar la página y repita lo que hizo.',

  BEO_DESTROYED: 'Esta identidad fue destruida. Ya no se puede hacer nada con ella.',
  IEO_DESTROYED: 'Esta institución fue destruida. Ya no se puede hacer nada con ella.',
  LINK_EXPIRED: 'Este enlace ha vencido. Pida uno nuevo.',
  LINK_USED: 'Este enlace ya se usó. Si no fue usted, avise a quien se lo envió.',
  REQUEST_CLOSED: 'Esta solicitud está cerrada. Ya no se puede hacer nada con ella.',

  RECORD_INVALID:
    'Al menos un registro no es válido, así que no se guardó ninguno. Corríjalo y envíelos todos de nuevo.',
  TOO_MANY_RECORDS: 'Como máximo van juntos 100 registros. Envíelos en partes.',
  BEO_LOCKED: 'Esta identidad está bloqueada. Su titular tiene que desbloquearla primero.',
  IEO_LOCKED: 'Esta institución está bloqueada. Primero hay que desbloquearla.',
} satisfies typeof english;
