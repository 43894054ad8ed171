/** One answer of the service to one request. */
export interface NotedAnswer {
  /** Its id, or method and path. */
  readonly operation: string
  /** Query and body. */
  readonly request: string
  readonly status: number
  readonly text: string
  /** By the clock of the run. */
  readonly askedAt: number
  readonly answeredAt: number
}

export type Phase = 'load' | 'checks'

/** Characters of a request and of an answer that a violation quotes. */
const maxQuoted = 400

/** The times at which injected faults may make the service answer 503. */
export class FaultTimes {
  readonly #grace: number
  readonly #past: { from: number; to: number }[] = []
  #openSince: number | null = null

  /** @param grace milliseconds after a recovery in which a 503 still counts as caused by the fault */
  constructor(grace: number) {
    this.#grace = grace
  }

  begin(now: number): void {
    this.#openSince ??= now
  }

  /** Call it when the service has recovered. */
  end(now: number): void {
    if (this.#openSince === null) return
    this.#past.push({ from: this.#openSince, to: now + this.#grace })
    this.#openSince = null
  }

  /** True if a fault can be the cause of this status between the two moments. Faults cause 503 and no other 5xx. */
  explains(status: number, askedAt: number, answeredAt: number): boolean {
    if (status !== 503) return false
    if (this.#openSince !== null && answeredAt >= this.#openSince) return true
    return this.#past.some(({ from, to }) => askedAt <= to && answeredAt >= from)
  }
}

interface Unexplained {
  readonly first: NotedAnswer
  readonly phase: Phase
  times: number
}

/** Counts every answer by phase and status, and keeps each kind of 5xx that no injected fault explains. */
export class AnswerLog {
  readonly #faults: FaultTimes
  readonly #counts = new Map<string, number>()
  readonly #unexplained = new Map<string, Unexplained>()

  constructor(faults: FaultTimes) {
    this.#faults = faults
  }

  note(phase: Phase, answer: NotedAnswer): void {
    this.#count(`${phase} ${answer.status}`)
    const { operation, status, askedAt, answeredAt } = answer
    if (status < 500 || this.#faults.explains(status, askedAt, answeredAt)) return
    const kind = `${phase} ${operation} ${status} ${codeOf(answer.text)}`
    const known = this.#unexplained.get(kind)
    if (known) known.times += 1
    else this.#unexplained.set(kind, { first: answer, phase, times: 1 })
  }

  /** A request that got no answer: no connection, or no end within its time. */
  noteSilence(phase: Phase, reason: string): void {
    this.#count(`${phase} ${reason}`)
  }

  /** How often each status came, by phase: `checks 200`. */
  get counts(): ReadonlyMap<string, number> {
    return this.#counts
  }

  /** Each kind of unexplained 5xx with its first request and answer. */
  get violations(): readonly string[] {
    return [...this.#unexplained.values()].map(({ first, phase, times }) => {
      const when = phase === 'load' ? 'under load' : 'while the checks ran'
      return `${first.status} ${codeOf(first.text)} ${when}, ${times} times, and no injected fault explains it; request: ${first.operation} ${first.request.slice(0, maxQuoted)}; answer: ${first.text.slice(0, maxQuoted)}`
    })
  }

  #count(what: string): void {
    this.#counts.set(what, (this.#counts.get(what) ?? 0) + 1)
  }
}

/** The error code of an answer; `(no code)` if it has none. */
export function codeOf(text: string): string {
  try {
    const code = (JSON.parse(text) as { error?: { code?: unknown } } | null)?.error?.code
    return typeof code === 'string' ? code : '(no code)'
  } catch {
    return '(no code)'
  }
}

/** Milliseconds that `Retry-After` asks for; null if the answer has none. */
export function retryAfterOf(headers: Headers, wallNow: number): number | null {
  const value = headers.get('retry-after')
  if (value === null) return null
  const milliseconds = /^\d+$/.test(value)
    ? Number(value) * 1000
    : Math.max(0, Date.parse(value) - wallNow)
  return Number.isFinite(milliseconds) ? milliseconds : null
}
