export default {
  OTHER: 'El servidor lo rechazó ({code}). {message}',
  RATE_LIMITED:
    'Llegaron demasiadas solicitudes desde su red en el último minuto. Espere un minuto e inténtelo de nuevo.',
  UNAVAILABLE: 'El servidor no puede hacerlo en este momento. Inténtelo de nuevo en un rato.',
  INTERNAL: 'Algo salió mal de nuestro lado. Nada cambió por error. Inténtelo de nuevo en un rato.',
  UNREACHABLE: 'No se puede contactar con el servidor. Revise su conexión; no se sabe si la solicitud llegó.',
};
