import type { Answer, Answers } from './answers.ts'
import type { Owner, Target } from './stage.ts'

/** An organization may send 20 invitations an hour. */
const maxAdded = 15
const removalShare = 0.4

interface Listed {
  readonly email: string
  readonly status?: string
}

type Await = (
  node: Target,
  id: string,
  detail: string,
  request: (signal: AbortSignal) => Promise<Response>,
) => Promise<Answer | null>

/**
 * Adds and removes members. The contract does not hold these requests, and they take no idempotency key. A release without
 * invitations makes a member at once, and does not list what it does not know.
 */
export class Members {
  readonly #owner: Owner
  readonly #random: () => number
  readonly #answers: Answers
  readonly #await: Await
  #added = 0
  readonly #emails: string[] = []

  constructor(owner: Owner, random: () => number, answers: Answers, request: Await) {
    this.#owner = owner
    this.#random = random
    this.#answers = answers
    this.#await = request
  }

  /** Changes the members at one node, and lists them at the other. */
  async step(first: Target, second: Target, number: number): Promise<void> {
    if (this.#emails.length > 0 && this.#random() < removalShare) return this.#remove(first, second)
    if (this.#added < maxAdded) return this.#add(first, second, `member${number}@example.org`)
    await this.#list(first)
  }

  async #add(first: Target, second: Target, email: string): Promise<void> {
    this.#added += 1
    const answer = await this.#ask(first, 'addMember', 'POST', '', { email, role: 'VIEWER' })
    if (!this.#isExpected(first, 'addMember', [201], answer)) return
    const listed = await this.#list(second)
    if (listed === null) return
    const isPending = JSON.parse(answer?.text ?? '').data.status === 'PENDING'
    const knowsInvitations = listed.every(({ status }) => status !== undefined)
    if (isPending && !knowsInvitations) return
    if (listed.some((member) => member.email === email)) this.#emails.push(email)
    else this.#answers.blame(`${second.name} node: listMembers lacks a member`, email)
  }

  async #remove(first: Target, second: Target): Promise<void> {
    const listed = await this.#list(first)
    const email = this.#emails.find((one) => listed?.some((member) => member.email === one))
    if (email === undefined) return
    this.#emails.splice(this.#emails.indexOf(email), 1)
    const path = `/${encodeURIComponent(email)}`
    const answer = await this.#ask(first, 'removeMember', 'DELETE', path)
    if (!this.#isExpected(first, 'removeMember', [200, 204], answer)) return
    const left = await this.#list(second)
    if (left?.some((member) => member.email === email)) {
      this.#answers.blame(`${second.name} node: listMembers has a removed member`, email)
    }
  }

  async #list(node: Target): Promise<Listed[] | null> {
    const answer = await this.#ask(node, 'listMembers', 'GET', '')
    return this.#isExpected(node, 'listMembers', [200], answer)
      ? JSON.parse(answer?.text ?? '').data
      : null
  }

  #isExpected(
    node: Target,
    id: string,
    statuses: readonly number[],
    answer: Answer | null,
  ): boolean {
    if (answer === null) return false
    if (statuses.includes(answer.status)) return true
    this.#answers.blame(`${node.name} node: ${id}: ${answer.status}`, `answer: ${answer.text}`)
    return false
  }

  #ask(node: Target, id: string, method: string, path: string, body?: object) {
    const { auth, organizationId } = this.#owner
    const members = `/auth/organizations/${organizationId}/members`
    const headers: Record<string, string> = {}
    if (auth?.kind === 'session') {
      headers.cookie = `${auth.cookieName}=${auth.cookie}`
      headers.origin = auth.origin
    }
    if (body) headers['content-type'] = 'application/json'
    const init = { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) }
    return this.#await(node, id, `${method} ${members}${path} ${JSON.stringify(body)}`, (signal) =>
      fetch(`${node.baseUrl}${members}${path}`, { ...init, signal }),
    )
  }
}
