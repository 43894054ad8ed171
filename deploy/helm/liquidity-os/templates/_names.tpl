{{- define "liquidity-os.labels" -}}
app.kubernetes.io/name: liquidity-os
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end }}

{{- define "liquidity-os.image" -}}
image: "{{ .Values.image.repository }}:{{ .Values.image.tag }}"
imagePullPolicy: {{ .Values.image.pullPolicy }}
{{- end }}

{{- define "liquidity-os.pod" -}}
automountServiceAccountToken: false
enableServiceLinks: false
{{- with .Values.imagePullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
securityContext:
  runAsNonRoot: true
  runAsUser: 1000
  runAsGroup: 1000
  seccompProfile:
    type: RuntimeDefault
volumes:
  - name: tmp
    emptyDir:
      sizeLimit: 512Mi
{{- end }}

{{- define "liquidity-os.container" -}}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities:
    drop: [ALL]
volumeMounts:
  - name: tmp
    mountPath: /tmp
{{- end }}

{{- define "liquidity-os.environment" -}}
env:
  - name: BASE_URL
    value: {{ .Values.baseUrl | quote }}
  - name: TRUSTED_PROXY_HOPS
    value: {{ .Values.trustedProxyHops | quote }}
  - name: DRAIN_SECONDS
    value: {{ .Values.drainSeconds | quote }}
  - name: WORKER
    value: none
  {{- range $name, $value := .Values.environment }}
  - name: {{ $name }}
    value: {{ $value | quote }}
  {{- end }}
envFrom:
  - secretRef:
      name: {{ .Values.secrets.runtime }}
{{- end }}
