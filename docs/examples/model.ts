/**
 * A language model of a sort: it answers the chat of OpenAI's form and puts a few words before each sentence, and more than it
 * may before the last.
 *
 *     node docs/examples/model.ts 8787
 */
import { createServer } from 'node:http'

interface Question {
  readonly messages?: readonly { readonly content: string }[]
}

interface Sentence {
  readonly number: number
  readonly text: string
}

const [, , port = '8787'] = process.argv

createServer(async (request, response) => {
  const { messages = [] } = JSON.parse((await request.toArray()).join('') || '{}') as Question
  const requests = JSON.parse(messages.at(-1)?.content ?? '[]') as Sentence[]
  const sentences = requests.map(({ number, text }) => ({
    number,
    text:
      requests.length > 1 && number === requests.length
        ? `${text} That is safe.`
        : `As the records have it, ${text}`,
  }))
  response.writeHead(200, { 'content-type': 'application/json' })
  response.end(
    JSON.stringify({
      choices: [{ message: { content: JSON.stringify({ sentences }) } }],
      usage: { total_tokens: 1000 },
    }),
  )
}).listen(Number(port), '127.0.0.1')
