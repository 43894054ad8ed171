/** The kind of job that asks one source for quotes. */
export const dispatchTask = 'QUOTE_DISPATCH'
