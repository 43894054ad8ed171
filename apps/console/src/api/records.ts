export interface AnyRecord {
  id: string
  resourceType: string
  organizationId: string
  sequence: number
  resourceVersion: string
  previousResourceVersion: string | null
  status: string
  payload: Record<string, unknown>
  artifactHash: string
  evidenceHashes: string[]
  reason: string
  createdAt: string
  createdBy: { kind: string; id: string }
}

/** An entry of a list: a versioned record, or an unversioned row. */
export type Item = Record<string, unknown> & { id?: string; status?: string }

export interface Page {
  data: Item[]
  meta: { count: number; hasMore: boolean; nextCursor?: string }
}

export interface Session {
  userId: string
  email: string
  authenticatedAt: string
  expiresAt: string
  /** True if only a passkey makes it recent again. */
  hasPasskey: boolean
  organizations: { id: string; name: string; role: string }[]
}

export interface Job {
  id: string
  kind: string
  status: string
  subject: { resourceType: string; id: string }
  progressPips: number
  preliminary?: unknown
  attempts: number
  createdAt: string
  startedAt?: string
  finishedAt?: string
  /** Wait for a provider that limits its rate. */
  waiting?: JobWait
  error?: { code: string; message: string; retryable: boolean }
}

export interface JobWait {
  reason: string
  until: string
  providerId: string | null
}

export interface Workspace {
  organization: { id: string; name: string }
  role: string
  counts: Record<string, number>
  openJobs: number
  providers: { providerId: string; kind: string; status: string; probedAt: string | null }[]
  schedules: {
    task: string
    subject: { resourceType: string; id: string }
    everySeconds: number
    state: string
    lagSeconds: number | null
    lastSuccessAt: string | null
  }[]
  checklist: { code: string; done: boolean; title: string; why: string; operationId: string }[]
}

export interface Alert {
  id: string
  kind: string
  severity: string
  title: string
  state: string
  openedAt: string
  lastSeenAt: string
  occurrences: number
  subject: { pair: string | null; venueId: string | null }
  acknowledged: { at: string } | null
  mutedUntil: string | null
}
