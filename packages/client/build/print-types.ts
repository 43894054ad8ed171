/** Types of TypeScript printed from the schemas of an OpenAPI document, as far as the contract uses them. */

export type Schema = { readonly [name: string]: unknown }

const plain = /^[A-Za-z_$][\w$]*$/
const nameOf = (name: string) => (plain.test(name) ? name : JSON.stringify(name))

export function typeOf(schema: Schema | undefined, depth = 0): string {
  if (!schema) return 'unknown'
  const { $ref, anyOf, allOf, type, items, properties, additionalProperties } = schema
  if (typeof $ref === 'string') return $ref.split('/').at(-1) ?? 'unknown'
  if ('const' in schema) return JSON.stringify(schema.const)
  if (Array.isArray(schema.enum)) return schema.enum.map((one) => JSON.stringify(one)).join(' | ')
  const parts = (some: unknown) => (some as Schema[]).map((one) => bracketed(typeOf(one, depth)))
  if (anyOf) return parts(anyOf).join(' | ')
  if (allOf) return parts(allOf).join(' & ')
  if (Array.isArray(type))
    return type.map((one) => typeOf({ ...schema, type: one }, depth)).join(' | ')
  switch (type) {
    case 'array':
      return `readonly ${bracketed(typeOf(items as Schema | undefined, depth))}[]`
    case 'object':
      return properties
        ? objectOf(schema, depth)
        : `{ readonly [name: string]: ${additionalProperties && additionalProperties !== true ? typeOf(additionalProperties as Schema, depth) : 'unknown'} }`
    case 'integer':
    case 'number':
      return 'number'
    case 'string':
    case 'boolean':
    case 'null':
      return type
    default:
      return 'unknown'
  }
}

const bracketed = (text: string) => (/^[\w$]+$/.test(text) ? text : `(${text})`)

function objectOf({ properties, required }: Schema, depth: number): string {
  const needed = new Set((required as string[] | undefined) ?? [])
  const indent = '  '.repeat(depth + 1)
  const members = Object.entries(properties as Record<string, Schema>).map(([name, schema]) => {
    const optional = needed.has(name) ? '' : '?'
    const missing = needed.has(name) ? '' : ' | undefined'
    return `${documented(schema, indent)}${indent}readonly ${nameOf(name)}${optional}: ${typeOf(schema, depth + 1)}${missing}`
  })
  return members.length === 0 ? '{}' : `{\n${members.join('\n')}\n${'  '.repeat(depth)}}`
}

/** Description of a schema as a comment; empty without a description. */
export function documented({ description }: Schema, indent = ''): string {
  if (typeof description !== 'string' || description === '') return ''
  return `${indent}/** ${description.replaceAll('*/', '* /')} */\n`
}
