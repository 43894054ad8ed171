/**
 * A language model of a sort: it proposes a sentence of the policy grammar for each statement, and for the last more than the
 * statement says.
 *
 *     node docs/examples/policy-model.ts 8787
 */
import { createServer } from 'node:http'

interface Question {
  readonly messages?: readonly { readonly role: string; readonly content: string }[]
}

interface Statement {
  readonly number: number
  readonly text: string
}

const [, , port = '8787'] = process.argv

const sentenceOf = (text: string): string =>
  text
    .replace(/^We only want it to prepare things$/, 'level prepare')
    .replace(/^Never trade more than (.+) in any one trade$/, 'at most $1 per trade')
    .replace(/^Slippage .+$/, 'slippage at most 5 %')

createServer(async (request, response) => {
  const { messages = [] } = JSON.parse((await request.toArray()).join('') || '{}') as Question
  // Later messages are earlier answers and their rejections.
  const material = messages.find(({ role }) => role === 'user')
  const requests = JSON.parse(material?.content ?? '[]') as Statement[]
  const sentences = requests.map(({ number, text }) => ({
    number,
    text,
    quote: text,
    sentence: sentenceOf(text),
  }))
  response.writeHead(200, { 'content-type': 'application/json' })
  response.end(
    JSON.stringify({
      choices: [{ message: { content: JSON.stringify({ sentences }) } }],
      usage: { total_tokens: 1000 },
    }),
  )
}).listen(Number(port), '127.0.0.1')
