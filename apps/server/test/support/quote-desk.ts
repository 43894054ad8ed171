import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A market maker's HTTP quote desk with responses set by the test. */
export interface QuoteDesk {
  readonly url: string
  /** Every question that came, with the authorization that it carried. */
  readonly requests: { question: Record<string, unknown>; authorization: string | undefined }[]
  /** Response; a number is a bare status, text is sent unchanged. */
  answer: (question: Record<string, unknown>) => Promise<object | string | number>
  readonly stop: () => Promise<void>
}

export async function startQuoteDesk(): Promise<QuoteDesk> {
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    const question = JSON.parse(Buffer.concat(parts).toString('utf8'))
    desk.requests.push({ question, authorization: request.headers.authorization })
    const answer = await desk.answer(question)
    if (typeof answer === 'number') response.writeHead(answer)
    const text = typeof answer === 'object' ? JSON.stringify(answer) : answer
    response.end(typeof text === 'number' ? '' : text)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  const desk: QuoteDesk = {
    url: `http://127.0.0.1:${port}`,
    requests: [],
    answer: async () => ({ quotes: [] }),
    stop: () =>
      new Promise<void>((done) => {
        server.close(() => done())
        server.closeAllConnections()
      }),
  }
  return desk
}
