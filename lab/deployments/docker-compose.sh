# `docker compose` of docs/deployment.md, by podman-compose 1.0. That has no `--wait` and no `rm`, does not replace a container
# of which the image or PRIMARY changed, wants a terminal by default, prints its own messages between those of a command, and
# ends with status 0 when a command failed. Without systemd podman runs no health checks by itself.

# The setting of a container is that of deploy/.env.
is_current() (
  PRIMARY=db1 PERPETUA_TAG=latest
  if [ -e "$1/.env" ]; then . "$1/.env"; fi
  case $2 in
    perpetua) [ "$(podman inspect --format '{{.ImageName}}' perpetua_perpetua_1)" = "localhost/perpetua:$PERPETUA_TAG" ] ;;
    *) podman inspect --format '{{json .Config.Env}}' "perpetua_$2_1" | grep -qF "\"PRIMARY=$PRIMARY\"" ;;
  esac
)

up() {
  local folder=$1 names=() wait= name
  shift
  for name in "$@"; do
    case $name in
      --wait) wait=1 ;;
      -*) ;;
      *) names+=("$name") ;;
    esac
  done
  for name in ${names[*]:-perpetua db1 db2}; do
    if podman container exists "perpetua_${name}_1" && ! is_current "$folder" "$name"; then
      podman rm --force --time 20 "perpetua_${name}_1"
    fi
  done
  podman-compose "${options[@]}" up -d "${names[@]}"
  if [ -z "$wait" ]; then return; fi
  for name in "${names[@]}"; do
    until podman healthcheck run "perpetua_${name}_1"; do sleep 0.5; done
  done
}

# The last line that podman-compose prints is the status of its last command.
checked() {
  podman-compose "${options[@]}" "$@" | tee >(cat >&2) | tail -n 1 | grep -qx 'exit code: 0'
}

docker() {
  if [ "$1" != compose ]; then
    podman "$@"
    return
  fi
  shift
  local options=(-p perpetua) folder=.
  while [ "$1" = -f ]; do
    options+=(-f "$2")
    folder=$(dirname "$2")
    shift 2
  done
  case $1 in
    up) up "$folder" "${@:2}" ;;
    rm) podman rm --force --time 20 "perpetua_${!#}_1" ;;
    exec)
      if [ "$2" = -T ]; then shift; fi
      podman exec --interactive "perpetua_$2_1" "${@:3}"
      ;;
    run) checked run -T "${@:2}" ;;
    build) checked "$@" ;;
    *) podman-compose "${options[@]}" "$@" ;;
  esac
}
