import { defineConfig } from "@playwright/test";

// The specs need a running `griot serve`; GRIOT_URL says where.
export default defineConfig({
  testDir: "e2e",
  workers: 1,
  timeout: 60_000,
  use: {
    baseURL: process.env["GRIOT_URL"] ?? "http://127.0.0.1:4747",
    viewport: { width: 1280, height: 800 },
    launchOptions: {
      executablePath: process.env["CHROMIUM"] ?? "/usr/bin/chromium",
      // Without a graphics card, WebGL is drawn by the processor.
      args: ["--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"],
    },
  },
});
