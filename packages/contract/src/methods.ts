export type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'

/** True if requests of a method have a body. */
export const takesBody = ({ method }: { readonly method: string }): boolean =>
  method === 'POST' || method === 'PATCH' || method === 'PUT'
