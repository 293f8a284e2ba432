{{/* Name of all objects. At most 40 characters, so that suffixes fit. */}}
{{- define "tidemark.name" -}}
{{- default .Release.Name .Values.fullnameOverride | trunc 40 | trimSuffix "-" -}}
{{- end -}}

{{- define "tidemark.selector" -}}
app.kubernetes.io/name: tidemark
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- end -}}

{{- define "tidemark.labels" -}}
{{ include "tidemark.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version }}
{{- end -}}

{{- define "tidemark.image" -}}
{{- $image := .Values.image -}}
{{- if $image.digest -}}
{{ $image.repository }}@{{ $image.digest }}
{{- else -}}
{{ $image.repository }}:{{ default .Chart.AppVersion $image.tag }}
{{- end -}}
{{- end -}}

{{/* A size such as 2Gi in MiB. */}}
{{- define "tidemark.mebibytes" -}}
{{- $number := regexFind "^[0-9]+" . | int -}}
{{- if hasSuffix "Gi" . }}{{ mul $number 1024 }}{{ else }}{{ $number }}{{ end -}}
{{- end -}}

{{/* The process keeps to its memory; sockets of the kernel and /tmp come on top. */}}
{{- define "tidemark.resources" -}}
{{- $limit := div (mul (include "tidemark.mebibytes" .memory | int) 5) 4 -}}
requests:
  cpu: {{ .cpu.request | quote }}
  memory: {{ $limit }}Mi
limits:
  {{- with .cpu.limit }}
  cpu: {{ . | quote }}
  {{- end }}
  memory: {{ $limit }}Mi
{{- end -}}

{{/* Such as 6h in milliseconds. */}}
{{- define "tidemark.milliseconds" -}}
{{- $seconds := dict "s" 1 "m" 60 "h" 3600 "d" 86400 -}}
{{- mul (regexFind "^[0-9]+" . | int) (get $seconds (regexFind "[smhd]$" .)) 1000 -}}
{{- end -}}

{{- define "tidemark.podSecurity" -}}
runAsNonRoot: true
runAsUser: 10001
runAsGroup: 10001
# Secrets are then readable for the group, and the volume is writable.
fsGroup: 10001
fsGroupChangePolicy: OnRootMismatch
seccompProfile:
  type: RuntimeDefault
{{- end -}}

{{- define "tidemark.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities:
  drop: [ALL]
{{- end -}}

{{/* Environment of both kinds of process. */}}
{{- define "tidemark.env" -}}
- name: POD_NAME
  valueFrom:
    fieldRef:
      fieldPath: metadata.name
- name: POD_IP
  valueFrom:
    fieldRef:
      fieldPath: status.podIP
- name: TIDEMARK_KAFKA
  value: {{ .root.Values.kafka.bootstrapServers | quote }}
{{- if .kafkaConfig }}
- name: TIDEMARK_KAFKA_CONFIG
  value: /etc/tidemark/kafka/client.properties
{{- end }}
- name: TIDEMARK_TOPIC
  value: {{ .root.Values.mirror.topic | quote }}
- name: TIDEMARK_PREFIX
  value: {{ .root.Values.mirror.prefix | quote }}
{{- if not (hasKey .of.env "TIDEMARK_KUBERNETES_ROOT") }}
- name: TIDEMARK_KUBERNETES_ROOT
  value: {{ .root.Values.mirror.kubernetesRoot | quote }}
{{- end }}
- name: TIDEMARK_HISTORY
  value: {{ .root.Values.mirror.history | quote }}
- name: TIDEMARK_MEMORY
  value: {{ .of.memory | replace "Gi" "g" | replace "Mi" "m" }}
- name: TIDEMARK_PEER_TLS_CERT
  value: /etc/tidemark/peers/tls.crt
- name: TIDEMARK_PEER_TLS_KEY
  value: /etc/tidemark/peers/tls.key
- name: TIDEMARK_PEER_CA
  value: /etc/tidemark/peers/ca.crt
- name: TIDEMARK_PEER_SECRET_FILE
  value: /etc/tidemark/peer-secret/secret
{{- if .root.Values.mirror.includeSecrets }}
- name: TIDEMARK_INCLUDE_SECRETS
  value: "true"
- name: TIDEMARK_SECRETS_KEY_FILE
  value: /etc/tidemark/secrets-keys/keys
{{- end }}
{{- range $name, $value := .of.env }}
- name: {{ $name }}
  value: {{ $value | quote }}
{{- end }}
{{- end -}}

{{- define "tidemark.mounts" -}}
- name: tmp
  mountPath: /tmp
- name: peers
  mountPath: /etc/tidemark/peers
  readOnly: true
- name: peer-secret
  mountPath: /etc/tidemark/peer-secret
  readOnly: true
{{- if .kafkaConfig }}
- name: kafka
  mountPath: /etc/tidemark/kafka
  readOnly: true
{{- end }}
{{- if .root.Values.mirror.includeSecrets }}
- name: secrets-keys
  mountPath: /etc/tidemark/secrets-keys
  readOnly: true
{{- end }}
{{- end -}}

{{- define "tidemark.volumes" -}}
# Native libraries are unpacked into it.
- name: tmp
  emptyDir:
    sizeLimit: 256Mi
{{ include "tidemark.secretVolume" (dict "name" "peers" "secret" .root.Values.peers.tlsSecret) }}
{{ include "tidemark.secretVolume" (dict "name" "peer-secret" "secret" .root.Values.peers.secret) }}
{{- if .kafkaConfig }}
{{ include "tidemark.secretVolume" (dict "name" "kafka" "secret" .kafkaConfig) }}
{{- end }}
{{- if .root.Values.mirror.includeSecrets }}
{{ include "tidemark.secretVolume" (dict "name" "secrets-keys" "secret" .root.Values.mirror.secretsKeySecret) }}
{{- end }}
{{- end -}}

{{- define "tidemark.secretVolume" -}}
- name: {{ .name }}
  secret:
    secretName: {{ .secret }}
    defaultMode: 0440
{{- end -}}

{{- define "tidemark.spread" -}}
- maxSkew: 1
  topologyKey: kubernetes.io/hostname
  whenUnsatisfiable: ScheduleAnyway
  labelSelector:
    matchLabels:
      {{- include "tidemark.selector" . | nindent 6 }}
- maxSkew: 1
  topologyKey: topology.kubernetes.io/zone
  whenUnsatisfiable: ScheduleAnyway
  labelSelector:
    matchLabels:
      {{- include "tidemark.selector" . | nindent 6 }}
{{- end -}}

{{- define "tidemark.scheduling" -}}
{{- with .nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .affinity }}
affinity:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- end -}}

{{/* Probes by HTTPS; the kubelet does not verify certificates. */}}
{{- define "tidemark.probes" -}}
startupProbe:
  httpGet: { path: /livez, port: {{ . }}, scheme: HTTPS }
  periodSeconds: 2
  failureThreshold: 150
livenessProbe:
  httpGet: { path: /livez, port: {{ . }}, scheme: HTTPS }
  periodSeconds: 10
  timeoutSeconds: 5
  failureThreshold: 6
readinessProbe:
  httpGet: { path: /readyz, port: {{ . }}, scheme: HTTPS }
  periodSeconds: 5
  timeoutSeconds: 5
  failureThreshold: 2
{{- end -}}
