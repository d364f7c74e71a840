// The running server at GRIOT_URL, as the specs of pages ask it.

export const URL = process.env["GRIOT_URL"] ?? "http://127.0.0.1:4747";

export async function post<T>(path: string, body: object, method = "POST"): Promise<T> {
  const response = await fetch(`${URL}${path}`, {
    method, headers: { "Content-Type": "application/json" }, body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${path}: ${await response.text()}`);
  return (await response.json()) as T;
}

export const get = async <T>(path: string): Promise<T> => (await (await fetch(`${URL}${path}`)).json()) as T;
