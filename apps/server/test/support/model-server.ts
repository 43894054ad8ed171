import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface ModelQuestion {
  readonly text: string
  readonly sentences: readonly { readonly number: number; readonly text: string }[]
}

export interface ModelServer {
  readonly url: string
  readonly requests: (ModelQuestion & {
    path: string
    authorization: string | undefined
    headers: IncomingHttpHeaders
  })[]
  /** Responds to a request, including misbehavior under test. */
  answer: (question: ModelQuestion, response: ServerResponse) => void
  readonly stop: () => Promise<void>
}

/** Published response form per API, with 321 tokens. */
const answers = {
  OPENAI: (content: string) => ({
    choices: [{ message: { role: 'assistant', content }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 300, completion_tokens: 21, total_tokens: 321 },
  }),
  ANTHROPIC: (text: string) => ({
    type: 'message',
    role: 'assistant',
    content: [{ type: 'text', text }],
    stop_reason: 'end_turn',
    usage: { input_tokens: 300, output_tokens: 21 },
  }),
  OLLAMA: (content: string) => ({
    message: { role: 'assistant', content },
    done: true,
    done_reason: 'stop',
    prompt_eval_count: 300,
    eval_count: 21,
  }),
}

export function sendMessage(
  response: ServerResponse,
  content: string,
  dialect: keyof typeof answers = 'OPENAI',
): void {
  response.writeHead(200, { 'content-type': 'application/json' })
  response.end(JSON.stringify(answers[dialect](content)))
}

/** Words for every sentence, each as `word` makes it. */
export const wordsBy =
  (
    word: (text: string, number: number) => string,
    dialect: keyof typeof answers = 'OPENAI',
  ): ModelServer['answer'] =>
  ({ sentences }, response) =>
    sendMessage(
      response,
      JSON.stringify({
        sentences: sentences.map(({ number, text }) => ({ number, text: word(text, number) })),
      }),
      dialect,
    )

/** A real HTTP server that answers like the API of a language model. */
export async function startModelServer(): Promise<ModelServer> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString()
      const { messages } = JSON.parse(text) as { messages: { role: string; content: string }[] }
      // A system message can precede the material, and corrections follow it.
      const material = messages.find(({ role }) => role === 'user')
      const sentences = JSON.parse(material?.content ?? '[]')
      const { url = '', headers } = request
      const { authorization } = headers
      model.requests.push({ text, sentences, path: url, authorization, headers })
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
