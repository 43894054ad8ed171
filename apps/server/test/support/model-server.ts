import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface ModelQuestion {
  readonly text: string
  readonly sentences: readonly { readonly number: number; readonly text: string }[]
}

export interface ModelServer {
  readonly url: string
  readonly requests: (ModelQuestion & { path: string; authorization: string | undefined })[]
  /** Responds to a request, including misbehavior under test. */
  answer: (question: ModelQuestion, response: ServerResponse) => void
  readonly stop: () => Promise<void>
}

/** A completion of chat that holds a message. */
export function sendMessage(response: ServerResponse, content: string): void {
  response.writeHead(200, { 'content-type': 'application/json' })
  response.end(
    JSON.stringify({
      choices: [{ message: { role: 'assistant', content }, finish_reason: 'stop' }],
      usage: { total_tokens: 321 },
    }),
  )
}

/** Words for every sentence, each as `word` makes it. */
export const wordsBy =
  (word: (text: string, number: number) => string): ModelServer['answer'] =>
  ({ sentences }, response) =>
    sendMessage(
      response,
      JSON.stringify({
        sentences: sentences.map(({ number, text }) => ({ number, text: word(text, number) })),
      }),
    )

/** A real server of the chat that language models answer by. */
export async function startModelServer(): Promise<ModelServer> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString()
      const { messages } = JSON.parse(text) as { messages: { role: string; content: string }[] }
      const sentences = JSON.parse(messages.at(-1)?.content ?? '[]')
      const { url = '', headers } = request
      model.requests.push({ text, sentences, path: url, authorization: headers.authorization })
      model.answer({ text, sentences }, response)
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  const model: ModelServer = {
    url: `http://127.0.0.1:${port}`,
    requests: [],
    answer: wordsBy((text) => text),
    stop: () =>
      new Promise<void>((done) => {
        server.close(() => done())
        server.closeAllConnections()
      }),
  }
  return model
}
