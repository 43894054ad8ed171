import type { CustomFetchOptions } from 'openid-client'
import { parseAnswer } from '../../answer-json.ts'
import { limits } from '../../limits.ts'

/**
 * `fetch` for the OpenID Connect library. Limits a response to `limits.identityAnswerBytes`, and
 * JSON in size and nesting. The library reports a failure as an unreachable provider.
 *
 * @throws TypeError if the response is too large
 */
export async function fetchBounded(
  url: string,
  { body: sent, signal, ...options }: CustomFetchOptions,
): Promise<Response> {
  const answer = await fetch(url, {
    ...options,
    ...(sent === undefined ? {} : { body: sent }),
    ...(signal === undefined ? {} : { signal }),
  })
  const body = await readBounded(answer)
  const { status, statusText, headers } = answer
  const mediaType = headers.get('content-type')
  if (mediaType !== null && /^application\/([a-z-]+\+)?json\b/i.test(mediaType)) {
    try {
      parseAnswer(body)
    } catch (cause) {
      throw new TypeError('The response of the identity provider was rejected.', { cause })
    }
  }
  const isEmpty = [204, 205, 304].includes(status)
  return new Response(isEmpty ? null : body, { status, statusText, headers })
}

async function readBounded({ body }: Response): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = []
  let length = 0
  // Leaving the loop early cancels the rest of the answer.
  for await (const chunk of body ?? []) {
    length += chunk.length
    if (length > limits.identityAnswerBytes) {
      throw new TypeError(
        `The identity provider sent more than ${limits.identityAnswerBytes} bytes.`,
      )
    }
    chunks.push(chunk)
  }
  return new Uint8Array(Buffer.concat(chunks))
}
