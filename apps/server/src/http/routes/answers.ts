import type { Answer } from '../ready-answer.ts'
import type { Reply } from '../reply.ts'

/** Data in the common envelope. */
export function dataReply(
  data: unknown,
  { status = 200, headers = {} }: { status?: number; headers?: Record<string, string> } = {},
): Reply {
  return { status, headers: { ...headers }, body: JSON.stringify({ data }) }
}

export function pageReply(
  body: string | Uint8Array,
  { type, policy, ...headers }: { type: string; policy: string; 'cache-control'?: string },
): Answer {
  return {
    status: 200,
    headers: {
      'content-type': type,
      'content-security-policy': policy,
      'referrer-policy': 'no-referrer',
      ...headers,
    },
    body,
  }
}

export const emptyReply = (status: number, headers: Reply['headers'] = {}): Reply => ({
  status,
  headers: { ...headers },
  body: null,
})
